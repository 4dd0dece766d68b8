# make -f fleet.mk -j 8 IN=day: add up the profiles of a fleet, one folder of hosts for
# each rack:
#
#	day/rack1/host1.perf  day/rack1/host2.perf  day/rack2/host3.perf ...
#
# gives day/rack1.folded, day/rack2.folded ... and day/all.folded. What is there already
# is not done again, so a host that comes late costs one file, one rack and one merge.
IN = .
EVENT =
SCRIPTS := $(wildcard $(IN)/*/*.perf)
RACKS := $(patsubst %/,%,$(sort $(dir $(SCRIPTS))))

$(IN)/all.folded: $(RACKS:%=%.folded)
	printf '%s\0' $^ | fg-merge -m --allow-empty --files0-from=- -o $@

%.folded: %.perf
	fg-collapse -q --allow-empty $(EVENT:%=-e '%') -o $@ $<

define rack
$(1).folded: $(patsubst %.perf,%.folded,$(wildcard $(1)/*.perf))
	printf '%s\0' $$^ | fg-merge -m --allow-empty --files0-from=- -o $$@
endef
$(foreach r,$(RACKS),$(eval $(call rack,$(r))))
