/* A library that shapes.c loads while it runs. */
static volatile unsigned long counter;

void plugin_work(void (*burn)(void));

void
plugin_work(void (*burn)(void))
{
	burn();
	counter++;
}
