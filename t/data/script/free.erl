%% As free.py: function fN calls f(N+1) or f(N+2), and another process loads new code for them,
%% with the functions at other addresses each time. Function fN is in module mN.
-module(free).
-export([main/0, main/1]).

main() -> main(["0"]).

%% With that many ms between two loads.
main([Pause]) ->
    put(code, [{N, [form(N, P) || P <- [0, 1, 5]]} || N <- lists:seq(0, 13)]),
    [load(N, hd(C)) || {N, C} <- get(code)],
    spawn(fun run/0),
    reload(list_to_integer(Pause)).

run() -> (list_to_existing_atom("m0")):f0(1), run().

name(Letter, N) -> list_to_atom(Letter ++ integer_to_list(N)).

call(N) -> {remote, 1, {atom, 1, name("m", N)}, {atom, 1, name("f", N)}}.

%% A module with fN between functions that do nothing.
form(N, Padding) ->
    A = erl_anno:new(1),
    D = {var, A, 'D'},
    Call = fun(To) -> {tuple, A, [D, {call, A, call(min(13, To)), [D]}]} end,
    Body = case N of
        13 -> {tuple, A, [D, {call, A, {remote, A, {atom, A, lists}, {atom, A, seq}}, [{integer, A, 1}, {integer, A, 50}]}]};
        _ -> {'case', A, {call, A, {remote, A, {atom, A, rand}, {atom, A, uniform}}, [{integer, A, 2}]},
                [{clause, A, [{integer, A, 1}], [], [Call(N + 1)]}, {clause, A, [{var, A, '_'}], [], [Call(N + 2)]}]}
    end,
    Idle = [{function, A, name("idle", I), 1, [{clause, A, [D], [], [{tuple, A, [D, {integer, A, I}]}]}]}
            || I <- lists:seq(1, Padding)],
    Exports = [{name("f", N), 1} | [{name("idle", I), 1} || I <- lists:seq(1, Padding)]],
    {ok, _, Code} = compile:forms([{attribute, A, module, name("m", N)}, {attribute, A, export, Exports} | Idle] ++
        [{function, A, name("f", N), 1, [{clause, A, [D], [], [Body]}]}]),
    Code.

load(N, Code) -> {module, _} = code:load_binary(name("m", N), "none", Code).

reload(Pause) ->
    timer:sleep(Pause),
    {N, Variants} = lists:nth(rand:uniform(14), get(code)),
    case code:soft_purge(name("m", N)) of
        true -> load(N, lists:nth(rand:uniform(3), Variants));
        false -> ok
    end,
    reload(Pause).
