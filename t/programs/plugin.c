/*
 * A library that shapes.c loads at run time.
 */
static volatile unsigned long counter;

void plugin_work(void (*burn)(void));

void
plugin_work(void (*burn)(void))
{
	burn();
	counter++;
}
