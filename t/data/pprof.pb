# A profile of pprof, for t/protobuf.pl: two sample types and a period of 10 ms; what is
# inlined; a mapping that is a library; labels.
1{1:1 2:2} 1{1:3 2:4} 11{1:3 2:4} 12:10000000
2{1[2 1] 2[3 30000000] 3{1:12 2:13} 3{1:14 3:77} 3{1:15 3:5}}
2{1:3 1:1 2:1 2:10000000}
3{1:7 5:5} 3{1:8 5:6}
4{1:1 2:7 3:4096 4{1:1 2:12}}
4{1:2 2:8 3:8192 4{1:2 2:3} 4{1:3 2:40}}
4{1:3 2:8 3:12288}
5{1:1 2:7 4:10} 5{1:2 3:8 4:11} 5{1:3 2:9}
6"" 6"samples" 6"count" 6"cpu" 6"nanoseconds" 6"/srv/app" 6"/lib/libx.so.1" 6"main" 6"_Z5innerv" 6"outer"
6"main.c" 6"x.c" 6"thread" 6"worker 1" 6"tid" 6"pid" 6"built yesterday" 13:16
