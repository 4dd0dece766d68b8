/*
 * unusable: a side without samples, runs that crashed, values of unknown kind, and shares without
 * an unchanged part.
 */
#include "fg-diff/unusable.h"

#include <string.h>

#define CRASHED 0.02 /* a run below this share of the other side's total */
#define FEW_SAMPLES 30 /* and with at most this many samples has crashed */

/* Reports the first nearly empty run of an unusable side; false if both sides are usable. */
static bool
describe_broken(struct answer *a, const struct comparison *c)
{
	static const char *const name[] = {"base", "head"};

	for (int k = 0; k < 2; k++) {
		const struct side *side = c->side[k];
		const struct side_broken *run = side->broken;

		if (!side->unusable)
			continue;
		text_puts(&a->reason, "run ");
		a->name(
		    &a->reason, &(struct calltree_name){run->path, (uint32_t)strlen(run->path)});
		text_printf(&a->reason, " of %s has a total of %.4g, another run %.4g", name[k],
		    run->profile_total, run->largest);
		if (side->nbroken > 1)
			text_printf(&a->reason, ", as do %u more", side->nbroken - 1);
		text_puts(&a->reason, ": check that the recording worked");
		return true;
	}
	return false;
}

bool
unusable_shares(const struct comparison *c)
{
	if (!c->noise.shares || c->noise.scaled || !noise_is_modelled(&c->noise))
		return false;
	for (size_t i = 0; i < c->n; i++)
		if (c->row[i].self->verdict == VERDICT_REAL ||
		    c->row[i].total->verdict == VERDICT_REAL)
			return true;
	return false;
}

bool
unusable_describe(struct answer *a, const struct comparison *c)
{
	static const char *const name[] = {"base", "head"};
	double total[2] = {c->profile_total.base, c->profile_total.head};
	int less = total[1] < total[0];

	if (describe_broken(a, c))
		return true;
	if (total[0] <= 0 || total[1] <= 0) {
		text_printf(&a->reason, "%s nothing; check that the recording worked",
		    total[0] > 0   ? "head has"
		    : total[1] > 0 ? "base has"
				   : "both have");
		return a->empty = true;
	}
	if (c->noise.kind == NOISE_UNKNOWN) {
		text_puts(&a->reason,
		    "the files may be exact or sampled (no line # values:), and one run a side does "
		    "not show it; fold them again with this version, give several runs a side, or "
		    "add --noise none for exact values, --period for samples");
		return true;
	}
	if (c->noise.kind == NOISE_NONE || c->only)
		return false;
	if (unusable_shares(c)) {
		text_printf(&a->reason,
		    "shares cannot be compared: only %.0f %% of the total is unchanged; compare "
		    "amounts (without -n)",
		    100 * c->noise.unchanged_part);
		return true;
	}
	if (!c->noise.shares && a->gated && total[less] < CRASHED * total[!less] &&
	    total[less] < FEW_SAMPLES * c->noise.period) {
		text_printf(&a->reason,
		    "%s has %.3g samples a run and %s %.4g; check that the recording worked",
		    name[less], total[less] / c->noise.period, name[!less],
		    total[!less] / c->noise.period);
		return true;
	}
	return false;
}
