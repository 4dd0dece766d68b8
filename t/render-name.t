#!/bin/sh
# fg-render: origin, hue and shade, derived from a frame's name. The viewer gets origin and hue
# from fg-render, and must compute the same shade.
# tier: quick
. "$(dirname "$0")/lib.sh"

# The class of the frame under x.
class() {
	fg-render --no-javascript "$@" | sed -n 's/^<path class="[a-z]*\([0-9]*\)".* d="[^"]*M0-3h.*/\1/p'
}

# The origin of the frame under x: a class is an origin + 4 * its tone.
origin() {
	echo $(($(class --colors origin) % 4))
}

while IFS='|' read -r want name; do
	got=$(printf 'x;%s 1\n' "$name" | origin)
	case $got in
	0) got=user ;;
	1) got=library ;;
	2) got=system ;;
	3) got=unknown ;;
	esac
	check "$name: $got" test "$got" = "$want"
done <<END
$(sed '/^#/d' "$here/data/cases/origin.txt")
END
for annotation in k l j; do
	check "beside _[$annotation], a bare name is user code" test \
		"$(printf 'x;main;y_[%s] 1\n' $annotation | origin)" = 0
done
for annotation in i w; do
	check "beside _[$annotation], a bare name is unknown" test \
		"$(printf 'x;main;y_[%s] 1\n' $annotation | origin)" = 3
done

while IFS='|' read -r hash shade function; do
	check "$function: colour $hash" test "$(printf 'x;%s 1\n' "$function" | class --colors function)" = "$hash"
	check "$function: shade $shade" test "$(($(printf 'x;%s 1\n' "$function" | class --colors red) % 16))" = "$shade"
done <<END
$(sed '/^#/d' "$here/data/cases/hash.txt")
END

while IFS='|' read -r hue name; do
	check "rust: $name" test "$(($(printf 'x;%s 1\n' "$name" | class --colors rust) / 16))" = "$hue"
done <<'END'
9|core::fmt::write
9|std::vec::Vec<mine::T>::push
9|<std::collections::hash::map::HashMap<mine::K, V>>::insert
9|<alloc::vec::Vec<mine::T> as core::ops::drop::Drop>::drop
9|<&T as core::fmt::Debug>::fmt
9|<i32 as core::fmt::Display>::fmt
9|<[T] as alloc::slice::SpecCloneIntoVec<T, A>>::clone_into
9|app`core::fmt::write
9|hashbrown::map::make_hash
8|<mine::T as core::fmt::Debug>::fmt
8|<&mut mine::T as core::fmt::Debug>::fmt
8|<mine::T>::run
8|<std::vec::Vec<T> as mine::Trait>::run
8|<F as mine::Trait>::run
8|<mine::Map<fn(i32) -> i32> as core::fmt::Debug>::fmt
8|mine::core::run
8|mine::run
6|main
END
done_testing
