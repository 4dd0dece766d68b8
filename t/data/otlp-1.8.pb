# A profile of OpenTelemetry, for t/protobuf.pl. 1.6 to 1.8: pieces of the profile's locations, keys as text.
1{ 1{1{1"service.name" 2{1"shop"}}} 2{ 2{ 1{1:1 2:2} 3[2 1 3 1] 6{1:1 2:2} 7:10000000
2{2:2 3[30000000] 4[0 1]} 2{1:2 2:2 3[10000000] 4[0]} } } }
2{ 1{} 1{4:3} 1{4:4}
2{} 2{1:1 2:4096 3{1:1 2:12}} 2{1:2 2:8192 3{1:3 2:7} 3{1:2 2:40}} 2{1:2 2:12288}
3{} 3{1:5 3:8} 3{1:6 3:8} 3{1:7 3:8}
5"" 5"cpu" 5"nanoseconds" 5"/srv/app" 5"/lib/libx.so.1" 5"main" 5"outer" 5"inner" 5"a.c" 5"thread.name" 5"process.pid"
6{1"thread.name" 2{1"worker 1"}} 6{1"process.pid" 2{3:77}} }
