%% As lockstep.py: random nesting of Erlang functions, with a C function at the leaf.
-module(lockstep).
-export([main/1, s0/1, s1/1, s2/1, s3/1, c0/1, c1/1, c2/1]).
-on_load(init/0).

init() -> erlang:load_nif("./callback", 0).

main([Seed]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    erlang:system_flag(backtrace_depth, 1000),
    loop();

%% With the calls traced: their returns or their time.
main([Seed, Traced]) ->
    Tracer = spawn(fun drop/0),
    {Match, Flags} = case Traced of
        "returns" -> {[{'_', [], [{return_trace}]}], [local]};
        "time" -> {true, [local, call_time]}
    end,
    erlang:trace(self(), true, [call, {tracer, Tracer}]),
    erlang:trace_pattern({?MODULE, '_', '_'}, Match, Flags),
    main([Seed]).

drop() -> receive _ -> drop() end.

loop() ->
    put(path, []),
    go(rand:uniform(16)),
    loop().

push(X) -> put(path, [X | get(path)]).
pop() -> put(path, tl(get(path))).

c0(_) -> erlang:nif_error(not_loaded).
c1(_) -> erlang:nif_error(not_loaded).
c2(_) -> erlang:nif_error(not_loaded).

s0(D) -> push("s0"), go(D), pop().
s1(D) -> push("s1"), _ = go(D), pop().
s2(D) -> push("s2"), try go(D) after pop() end.
s3(D) -> push("s3"), X = {D, go(D)}, pop(), X.

leaf(C) ->
    Order = lists:join(";", lists:reverse([C | get(path)])),
    stop(C, Order),
    ok.

%% The line of the backtrace and that of the call are one.
stop("c0", O) -> {_, B} = process_info(self(), current_stacktrace), c0(text(O, B)), ok;
stop("c1", O) -> {_, B} = process_info(self(), current_stacktrace), c1(text(O, B)), ok;
stop("c2", O) -> {_, B} = process_info(self(), current_stacktrace), c2(text(O, B)), ok.

%% A call of a C function has no frame of its own.
text(Order, Backtrace) ->
    iolist_to_binary(["\t", Order, "\t",
        lists:join(";", [frame(F) || F <- lists:reverse(Backtrace), element(1, F) =/= erlang]), "\n"]).

frame({M, F, A, Info}) ->
    io_lib:format("~s:~s/~w:~w", [M, F, A, proplists:get_value(line, Info, 0)]).

go(0) -> leaf("c" ++ integer_to_list(rand:uniform(3) - 1)), ok;
go(D0) ->
    D = D0 - 1,
    case rand:uniform(14) of
        1 -> s0(D), ok;
        2 -> s1(D), ok;
        3 -> s2(D), ok;
        4 -> s3(D), ok;
        5 -> lists:map(fun(X) -> s0(X), X end, [D]), ok;
        6 -> lists:foldl(fun(X, A) -> s1(X), A end, 0, [D]), ok;
        7 -> (catch begin s2(D), throw(away) end), ok;
        8 -> try s3(D), error(wrong) catch error:wrong -> ok end, ok;
        9 -> put(once, true), lists:sort(fun(A, B) -> once(D), A =< B end, [2, 1]), ok;
        10 -> apply(?MODULE, element(1 + rand:uniform(2), {x, s0, s1}), [D]), ok;
        11 -> _ = [s2(X) || X <- [D]], ok;
        12 -> F = fun Self(0) -> s3(D), ok; Self(N) -> {Self(N - 1)} end, F(0), ok;
        13 -> self() ! {go, D}, receive {go, X} -> s0(X) end, ok;
        14 -> maps:fold(fun(K, _, A) -> s1(K), A end, 0, #{D => 1}), garbage_collect(), ok
    end.

once(D) ->
    case erase(once) of
        true -> s2(D), ok;
        _ -> ok
    end.
