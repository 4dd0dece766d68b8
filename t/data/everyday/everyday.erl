%% As everyday.py: erl -noinput -run everyday main NAME [ROUNDS].
-module(everyday).
-export([main/1]).

parse_request(Text) ->
    [Head, Body] = string:split(Text, "\r\n\r\n"),
    [First | Lines] = string:split(Head, "\r\n", all),
    [Method, Path | _] = string:lexemes(First, " "),
    Headers = maps:from_list([begin [N, V] = string:split(L, ": "), {string:lowercase(N), V} end || L <- Lines]),
    {Method, Path, Headers, Body}.

route(Method, Path, Routes) ->
    route_parts(Method, string:lexemes(Path, "/"), Routes).

route_parts(_, _, []) -> {404, "not found"};
route_parts(Method, Parts, [{Method, Pattern, Handler} | Rest]) ->
    case match_path(Pattern, Parts, #{}) of
        nomatch -> route_parts(Method, Parts, Rest);
        Values -> Handler(Values)
    end;
route_parts(Method, Parts, [_ | Rest]) -> route_parts(Method, Parts, Rest).

match_path([], [], Values) -> Values;
match_path([Name | Pattern], [Part | Parts], Values) when is_atom(Name) ->
    match_path(Pattern, Parts, Values#{Name => Part});
match_path([Part | Pattern], [Part | Parts], Values) -> match_path(Pattern, Parts, Values);
match_path(_, _, _) -> nomatch.

points(_, 0, Total) -> Total;
points(Id, I, Total) -> points(Id, I - 1, Total + Id * I rem 97).

show_user(#{id := Id}) -> {200, ["user ", Id, " has ", integer_to_list(points(list_to_integer(Id), 1000, 0))]}.

list_items(_) -> {200, [["<li>", integer_to_list(I * 7 rem 31), "</li>"] || I <- lists:seq(1, 60)]}.

respond({Status, Body}) ->
    iolist_to_binary(["HTTP/1.1 ", integer_to_list(Status), " OK\r\nContent-Length: ",
        integer_to_list(iolist_size(Body)), "\r\n\r\n", Body]).

web(Rounds) ->
    Routes = [{"GET", ["users", id], fun show_user/1}, {"GET", ["shop", name, "items"], fun list_items/1}],
    web(Rounds, Routes, 0).

web(0, _, N) -> N;
web(Rounds, Routes, N) ->
    Sizes = [begin
        {Method, P, _, _} = parse_request("GET " ++ Path ++ " HTTP/1.1\r\nHost: example.org\r\nX-Id: 5\r\n\r\n"),
        byte_size(respond(route(Method, P, Routes)))
    end || Path <- ["/users/17", "/shop/a/items", "/none"]],
    web(Rounds - 1, Routes, N + lists:sum(Sizes)).

make_orders(N) ->
    [#{id => I, items => [#{sku => <<"a", (integer_to_binary(J))/binary>>, n => J + 1, price => J * 3} || J <- lists:seq(0, I rem 7)]}
        || I <- lists:seq(1, N)].

encode(V) when is_map(V) ->
    ["{", lists:join(",", [[quote(atom_to_binary(K)), ":", encode(X)] || {K, X} <- maps:to_list(V)]), "}"];
encode(V) when is_list(V) -> ["[", lists:join(",", [encode(X) || X <- V]), "]"];
encode(V) when is_binary(V) -> quote(V);
encode(V) -> integer_to_binary(V).

quote(B) -> [$", << <<(escape_char(C))/binary>> || <<C>> <= B >>, $"].

escape_char($") -> <<"\\\"">>;
escape_char($\\) -> <<"\\\\">>;
escape_char(C) -> <<C>>.

decode(<<"{", Rest/binary>>) -> decode_map(Rest, #{});
decode(<<"[", Rest/binary>>) -> decode_list(Rest, []);
decode(<<"\"", Rest/binary>>) -> decode_string(Rest, 0);
decode(Text) -> decode_number(Text, 0).

decode_map(<<"}", Rest/binary>>, Map) -> {Map, Rest};
decode_map(<<",", Rest/binary>>, Map) -> decode_map(Rest, Map);
decode_map(Text, Map) ->
    {Key, <<":", Rest/binary>>} = decode(Text),
    {Value, Last} = decode(Rest),
    decode_map(Last, Map#{Key => Value}).

decode_list(<<"]", Rest/binary>>, List) -> {lists:reverse(List), Rest};
decode_list(<<",", Rest/binary>>, List) -> decode_list(Rest, List);
decode_list(Text, List) ->
    {Value, Rest} = decode(Text),
    decode_list(Rest, [Value | List]).

decode_string(Text, N) ->
    case Text of
        <<String:N/binary, $", Rest/binary>> -> {String, Rest};
        _ -> decode_string(Text, N + 1)
    end.

decode_number(<<C, Rest/binary>>, N) when C >= $0, C =< $9 -> decode_number(Rest, N * 10 + C - $0);
decode_number(Rest, N) -> {N, Rest}.

json(0, N) -> N;
json(Rounds, N) ->
    {Orders, <<>>} = decode(iolist_to_binary(encode(make_orders(40)))),
    json(Rounds - 1, N + length(Orders)).

make_log(N) ->
    [iolist_to_binary(io_lib:format("10.0.~b.~b - user~b [01/Jan/2026] \"GET /page/~b\" ~b ~b",
        [I rem 7, I rem 250, I rem 9, I rem 40, 200 + I rem 3 * 100, I * 37])) || I <- lists:seq(1, N)].

match_lines(Lines, Re) ->
    [M || L <- Lines, {match, M} <- [re:run(L, Re, [{capture, all_but_first, binary}])]].

anonymize(Lines) -> [hide(L) || L <- Lines].

hide(Line) -> << <<(hide_char(C))>> || <<C>> <= Line >>.

hide_char(C) when C >= $0, C =< $9 -> $#;
hide_char(C) -> C.

by_status(Rows) ->
    lists:foldl(fun([_, _, Status, Bytes], Counts) ->
        maps:update_with(Status, fun(V) -> V + binary_to_integer(Bytes) end, 0, Counts) end, #{}, Rows).

regex(Rounds) ->
    {ok, Re} = re:compile("(\\S+) - (\\w+) \\[[^\\]]+\\] \"\\w+ \\S+\" (\\d{3}) (\\d+)"),
    regex(Rounds, make_log(100), Re, 0).

regex(0, _, _, N) -> N;
regex(Rounds, Lines, Re, N) ->
    regex(Rounds - 1, Lines, Re, N + map_size(by_status(match_lines(Lines, Re))) + length(anonymize(Lines))).

shuffled(0, _, Rows) -> Rows;
shuffled(N, Seed, Rows) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    shuffled(N - 1, Next, [{Next rem 1000, Next rem 77} | Rows]).

compare_rows({A, B}, {C, D}) -> B < D orelse (B =:= D andalso A >= C).

insert(X, [Y | Rest]) when Y < X -> [Y | insert(X, Rest)];
insert(X, Rest) -> [X | Rest].

insertion(Rows) -> lists:foldl(fun insert/2, [], Rows).

quicksort([]) -> [];
quicksort([Pivot | Rest]) ->
    {Less, More} = partition(Pivot, Rest, [], []),
    quicksort(Less) ++ [Pivot | quicksort(More)].

partition(_, [], Less, More) -> {Less, More};
partition(Pivot, [X | Rest], Less, More) when X < Pivot -> partition(Pivot, Rest, [X | Less], More);
partition(Pivot, [X | Rest], Less, More) -> partition(Pivot, Rest, Less, [X | More]).

sort(0, N) -> N;
sort(Rounds, N) ->
    Rows = shuffled(1000, 7, []),
    sort(Rounds - 1, N + length(quicksort(Rows)) + length(lists:sort(fun compare_rows/2, Rows)) + length(insertion(lists:sublist(Rows, 200)))).

escape([]) -> [];
escape([$< | Rest]) -> "&lt;" ++ escape(Rest);
escape([$& | Rest]) -> "&amp;" ++ escape(Rest);
escape([C | Rest]) -> [C | escape(Rest)].

compile("{{" ++ Rest) ->
    [Name, Last] = string:split(Rest, "}}"),
    [list_to_atom(string:trim(Name)) | compile(Last)];
compile([]) -> [];
compile([C | Rest]) -> [C | compile(Rest)].

fill([], _) -> [];
fill([Name | Rest], Values) when is_atom(Name) -> [escape(maps:get(Name, Values)) | fill(Rest, Values)];
fill([C | Rest], Values) -> [C | fill(Rest, Values)].

template(0, N) -> N;
template(Rounds, N) ->
    Parts = compile("<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>"),
    Sizes = [iolist_size(fill(Parts, #{name => "a<b", price => integer_to_list(J), note => "x & y"})) || J <- lists:seq(1, 20)],
    template(Rounds - 1, N + lists:sum(Sizes)).

roman(0) -> "";
roman(N) ->
    {Value, Digit} = digit(N, [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"},
        {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}]),
    Digit ++ roman(N - Value).

digit(N, [{Value, Digit} | _]) when N >= Value -> {Value, Digit};
digit(N, [_ | Rest]) -> digit(N, Rest).

distance(A, B) ->
    lists:last(lists:foldl(fun(X, [First | Row]) -> distance_row(X, B, Row, First, [First + 1]) end, lists:seq(0, length(B)), A)).

distance_row(_, [], [], _, Out) -> lists:reverse(Out);
distance_row(X, [Y | B], [Up | Row], Diagonal, [Left | _] = Out) ->
    Cost = if X =:= Y -> Diagonal; true -> Diagonal + 1 end,
    distance_row(X, B, Row, Up, [min(Cost, min(Up, Left) + 1) | Out]).

check(Want, Want) -> 1;
check(_, _) -> 0.

test_roman() -> lists:sum([check(true, lists:all(fun(C) -> lists:member(C, "MDCLXVI") end, roman(I))) || I <- lists:seq(1, 60)]).

test_distance() -> check(2, distance("flame graphs", "frame graph")).

tests(0, N) -> N;
tests(Rounds, N) -> tests(Rounds - 1, N + test_roman() + test_distance()).

split_row(Line) -> split_row(Line, [], [], false).

split_row([], Field, Fields, _) -> lists:reverse([lists:reverse(Field) | Fields]);
split_row([$" | Rest], Field, Fields, Quoted) -> split_row(Rest, Field, Fields, not Quoted);
split_row([$, | Rest], Field, Fields, false) -> split_row(Rest, [], [lists:reverse(Field) | Fields], false);
split_row([C | Rest], Field, Fields, Quoted) -> split_row(Rest, [C | Field], Fields, Quoted).

group(Rows) ->
    lists:foldl(fun([A, B, C | _], Sums) -> maps:put({A, B}, maps:get({A, B}, Sums, 0) + list_to_integer(C), Sums) end, #{}, Rows).

table(Rounds) ->
    table(Rounds, [lists:flatten(io_lib:format("region~b,~b,~b,\"note, ~b\"", [I rem 5, I rem 12 + 1, I * 3 rem 101, I])) || I <- lists:seq(1, 100)], 0).

table(0, _, N) -> N;
table(Rounds, Lines, N) -> table(Rounds - 1, Lines, N + map_size(group([split_row(L) || L <- Lines]))).

product(A, Columns) -> [[dot(Row, Column, 0) || Column <- Columns] || Row <- A].

dot([], [], Sum) -> Sum;
dot([X | A], [Y | B], Sum) -> dot(A, B, Sum + X * Y).

primes(N) -> sieve(lists:seq(2, N), N).

sieve([P | Rest], N) when P * P =< N -> [P | sieve(without(P, Rest), N)];
sieve(Rest, _) -> Rest.

without(_, []) -> [];
without(P, [X | Rest]) when X rem P =:= 0 -> without(P, Rest);
without(P, [X | Rest]) -> [X | without(P, Rest)].

escapes(_, _, _, _, 40) -> 40;
escapes(A, B, _, _, I) when A * A + B * B > 4 -> I;
escapes(A, B, X, Y, I) -> escapes(A * A - B * B + X, 2 * A * B + Y, X, Y, I + 1).

numbers(0, _, N) -> N;
numbers(Rounds, M, N) ->
    Escaped = [escapes(0.0, 0.0, X / 6 - 1.5, Y / 6 - 1, 0) || X <- lists:seq(0, 11), Y <- lists:seq(0, 11)],
    numbers(Rounds - 1, M, N + lists:sum(lists:flatten(product(M, M))) rem 7 + length(primes(1000)) + lists:sum(Escaped)).

tree_insert(Key, nil) -> {Key, nil, nil};
tree_insert(Key, {K, L, R}) when Key < K -> {K, tree_insert(Key, L), R};
tree_insert(Key, {K, L, R}) -> {K, L, tree_insert(Key, R)}.

tree_find(_, nil) -> 0;
tree_find(Key, {Key, _, _}) -> 1;
tree_find(Key, {K, L, _}) when Key < K -> tree_find(Key, L);
tree_find(Key, {_, _, R}) -> tree_find(Key, R).

tree_depth(nil) -> 0;
tree_depth({_, L, R}) -> 1 + max(tree_depth(L), tree_depth(R)).

tree(0, N) -> N;
tree(Rounds, N) ->
    Root = lists:foldl(fun(I, T) -> tree_insert(I * 617 rem 1009, T) end, nil, lists:seq(1, 300)),
    tree(Rounds - 1, N + tree_depth(Root) + lists:sum([tree_find(I, Root) || I <- lists:seq(1, 600)])).

stem(Word) ->
    Short = case lists:reverse(Word) of
        "gni" ++ Rest -> lists:reverse(Rest);
        "de" ++ Rest -> lists:reverse(Rest);
        "s" ++ Rest -> lists:reverse(Rest);
        _ -> Word
    end,
    {Short, hash(Short, 0)}.

hash([], H) -> H;
hash([C | Rest], H) -> hash(Rest, (H * 31 + C) band 16#ffff).

count_words(Text) ->
    lists:foldl(fun(W, Counts) ->
        {Key, _} = stem(string:trim(W, trailing, ".")),
        maps:update_with(Key, fun(V) -> V + 1 end, 1, Counts) end, #{}, string:lexemes(Text, " ")).

top(Counts) -> lists:sublist(lists:sort(fun({A, B}, {C, D}) -> B > D orelse (B =:= D andalso A =< C) end, maps:to_list(Counts)), 10).

words(Rounds) ->
    words(Rounds, string:join([W ++ E ++ integer_to_list(I rem 9) || I <- lists:seq(1, 12), W <- ["walk", "record", "sample", "frame"],
        E <- ["", "ing", "ed", "s."]], " "), 0).

words(0, _, N) -> N;
words(Rounds, Text, N) -> words(Rounds - 1, Text, N + length(top(count_words(Text)))).

program("web") -> {fun web/1, 36000};
program("json") -> {fun(R) -> json(R, 0) end, 2200};
program("regex") -> {fun regex/1, 4400};
program("sort") -> {fun(R) -> sort(R, 0) end, 1900};
program("template") -> {fun(R) -> template(R, 0) end, 59000};
program("tests") -> {fun(R) -> tests(R, 0) end, 46000};
program("table") -> {fun table/1, 14000};
program("numbers") -> {fun(R) -> numbers(R, [[I * J rem 7 || J <- lists:seq(1, 20)] || I <- lists:seq(1, 20)], 0) end, 4600};
program("tree") -> {fun(R) -> tree(R, 0) end, 16000};
program("words") -> {fun words/1, 7100}.

main([Name | Rest]) ->
    {Program, Rounds} = program(Name),
    io:format("~p~n", [Program(case Rest of [] -> Rounds; [R] -> list_to_integer(R) end)]),
    halt().
