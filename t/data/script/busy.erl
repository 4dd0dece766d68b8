%% Uses the CPU for some milliseconds, in Erlang functions and in C.
-module(busy).
-export([main/1]).

main([Time]) ->
    loop(now_ms() + list_to_integer(Time)),
    halt().

now_ms() -> erlang:monotonic_time(millisecond).

loop(End) ->
    _ = spin(100000, 0),
    _ = sort(2000),
    case now_ms() < End of
        true -> loop(End);
        false -> ok
    end.

spin(0, A) -> A;
spin(N, A) -> spin(N - 1, (A * 3 + N) band 16#ffffff).

sort(N) ->
    Sorted = lists:sort(fun(A, B) -> A rem 1000 =< B rem 1000 end, [erlang:phash2(I) || I <- lists:seq(1, N)]),
    length(Sorted).
