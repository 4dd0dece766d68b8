/*
 * commandline: the view's command under the panel, ready to copy. It is found out when
 * the view rests, since that may take a look at every frame.
 */

const REST = 150;

function tellCommand() {
	clearTimeout(tellCommand.timer);
	tellCommand.timer = setTimeout(showCommand, REST);
}

function showCommand() {
	if (showing.tab === 'none') return;
	const {line, notes} = commandLine();
	/* The whole picture needs no words. */
	ui.command.hidden = !notes.length && !line.startsWith('fg-filter');
	setText(ui.shell, line);
	setText(ui.lacks, notes.join(' '));
	ui.shell.hidden = ui.copy.hidden = !line;
}

function copyCommand() {
	const {line, notes} = commandLine();
	return line ? copy(line, 'Command') : notes.join(' ');
}
