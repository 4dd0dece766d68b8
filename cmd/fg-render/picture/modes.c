#include "fg-render/picture/modes.h"

#include "fg-render/picture.h"

/*
 * A class is a kind + the number of kinds * its tone. The kinds' first tones are chosen to
 * maximize the smallest colour difference under normal, deutan, protan and tritan vision. The
 * other tones of an origin are near it in OKLCH, so that neighbours differ.
 */
static const struct shade origin_shades[] = {
    {"#f0a04b", "#d98a3a"},
    {"#81c4fa", "#5ba3dd"},
    {"#7e75e8", "#8f87ee"},
    {"#d4d4d4", "#484d55"},
    {"#f7b86d", "#e0a15c"},
    {"#95d5ff", "#6eb4e2"},
    {"#8e89f3", "#a09af8"},
    {"#e1e1e1", "#50555d"},
    {"#e18f3e", "#ca792c"},
    {"#72b1ec", "#4d90cf"},
    {"#9a7be0", "#a98ee6"},
    {"#c9c9c9", "#41464e"},
    {"#e2b66f", "#cca05d"},
    {"#87c5df", "#5fa5c2"},
    {"#8b99f4", "#9faaf9"},
    {"#dcdce2", "#4b4f5a"},
};
/*
 * Tones of the modes below: full, half, faint, by strength(). In differentials only more and less
 * have the second and the third.
 */
static const struct shade differential_shades[] = {
    {"#dd6d50", "#c95c40"},
    {"#61bbff", "#31a3ea"},
    {"#f4c137", "#e7c020"},
    {"#7a8c96", "#96969d"},
    {"#e9e9e9", "#3a3f47"},
    {"#e9a792", "#8a4937"},
    {"#a4d7fd", "#27608a"},
    {NULL, NULL},
    {NULL, NULL},
    {NULL, NULL},
    {"#f3d2c8", "#5a423c"},
    {"#d4eafb", "#31475a"},
};
static const struct shade bottleneck_shades[] = {
    {"#79a3fe", "#6f97ee"},
    {"#f2bc2a", "#d9a923"},
    {"#f37764", "#dd6858"},
    {"#967c9b", "#a48aa9"},
    {"#dedede", "#41464e"},
    {"#b1cafe", "#4e6696"},
    {"#f7d883", "#856f2d"},
    {"#f8b0a5", "#884d48"},
    {"#c2b3c5", "#6a5f72"},
    {NULL, NULL},
    {"#d7e3ff", "#39455c"},
    {"#fbebbf", "#4e4833"},
    {"#fbd6d0", "#4f3b3e"},
    {"#e0d8e1", "#43424e"},
};
static const struct shade wait_shades[] = {
    {"#f37764", "#dd6858"},
    {"#f2bc2a", "#d9a923"},
    {"#79a3fe", "#6f97ee"},
    {"#dedede", "#41464e"},
    {"#f8b0a5", "#884d48"},
    {"#f7d883", "#856f2d"},
    {"#b1cafe", "#4e6696"},
    {NULL, NULL},
    {"#fbd6d0", "#4f3b3e"},
    {"#fbebbf", "#4e4833"},
    {"#d7e3ff", "#39455c"},
};

/* OKLCH, 15 degrees of hue apart: lightness 0.83 and 0.67, chroma 0.105. */
static const struct shade function_shades[] = {
    {"#ffabc4", "#ca7992"},
    {"#ffabb1", "#cd7980"},
    {"#ffad9f", "#ce7c6e"},
    {"#ffb28e", "#cb805d"},
    {"#fab780", "#c4854f"},
    {"#efbe77", "#bb8b45"},
    {"#e2c575", "#ae9242"},
    {"#d1cb79", "#9f9946"},
    {"#bed283", "#8d9f51"},
    {"#aad791", "#79a461"},
    {"#95dba3", "#63a772"},
    {"#81ddb6", "#4daa85"},
    {"#71deca", "#38aa98"},
    {"#69dddc", "#2aa9a9"},
    {"#6adaed", "#2da6b9"},
    {"#75d6fb", "#3ea2c6"},
    {"#85d1ff", "#539dcf"},
    {"#99cbff", "#6898d5"},
    {"#adc4ff", "#7c92d6"},
    {"#c0beff", "#8f8cd3"},
    {"#d2b8ff", "#9f86cc"},
    {"#e1b3f7", "#ae81c2"},
    {"#efafe8", "#ba7db4"},
    {"#f9acd7", "#c37aa4"},
};

const struct mode_colours mode_colours[] = {
    [MODE_ORIGIN] = {"origin", "o", origin_shades, 16, 4, 3,
	{{0, "user"}, {1, "library"}, {2, "system"}, {3, "unknown"}}, NULL},
    [MODE_FUNCTION] = {"function", "f", function_shades, 24, 24, 24, {{0}}, NULL},
    [MODE_DIFFERENTIAL] = {"differential", "d", differential_shades, 12, 5, 4,
	{{0, "\xe2\x96\xb2 "}, {1, "\xe2\x96\xbc "}, {2, "+ added"}, {3, "\xe2\x88\x92 removed"},
	    {4, ""}},
	"pale: the change is in callees"},
    [MODE_BOTTLENECK] = {"bottleneck", "b", bottleneck_shades, 14, 5, 4,
	{{0, "instruction"}, {1, "cache"}, {2, "memory"}, {3, "system"}, {4, "none"}},
	"most of the total; pale: the cost is in callees"},
    [MODE_WAIT] = {"wait", "t", wait_shades, 11, 4, 3,
	{{0, "on a CPU"}, {1, "waiting for one"}, {2, "blocked"}, {3, "none"}},
	"most of the total; pale: the time is in callees"},
};

enum mode
modes_end(const struct picture *p)
{
	return p->drawn.n > 1 ? MODE_PALETTE : MODE_DIFFERENTIAL;
}
