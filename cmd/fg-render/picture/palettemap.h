/*
 * palettemap: the file of --cp. Sets class and colours of the picture.
 */
#ifndef PALETTEMAP_H
#define PALETTEMAP_H

struct picture;

void palettemap(struct picture *p);

#endif
