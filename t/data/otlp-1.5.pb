# A profile of OpenTelemetry, for t/protobuf.pl. Before 1.6: all tables are the profile's, and 0 is a number like others.
1{ 1{1{1"service.name" 2{1"shop"}}} 2{ 2{ 1{1:1 2:2} 5[1 0 2 0] 13{1:1 2:2} 14:10000000
2{2:2 3[30000000] 4[0 1]} 2{1:2 2:2 3[10000000] 4[0]}
3{4:3} 3{4:4}
4{1:0 2:4096 4:0 3{1:0 2:12}} 4{1:1 2:8192 3{1:2 2:7} 3{1:1 2:40}} 4{1:1 2:12288}
6{1:5 3:8} 6{1:6 3:8} 6{1:7 3:8}
7{1"thread.name" 2{1"worker 1"}} 7{1"process.pid" 2{3:77}}
10"" 10"cpu" 10"nanoseconds" 10"/srv/app" 10"/lib/libx.so.1" 10"main" 10"outer" 10"inner" 10"a.c" 10"thread.name" 10"process.pid" } } }
