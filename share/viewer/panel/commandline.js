/*
 * commandline: the view's command under the panel, ready to copy. If it needs a walk over very
 * many frames, it is computed when the view rests. Otherwise it is computed at once, since one
 * drawing of the page costs less than two.
 */

const REST = 150;

function tellCommand() {
	if (picture.tree.n <= MANY) {
		showCommand();
		return;
	}
	clearTimeout(tellCommand.timer);
	tellCommand.timer = setTimeout(showCommand, REST);
}

function showCommand() {
	if (showing.tab === 'none') return;
	const {line, notes} = commandLine();
	/* Hidden for the unfiltered picture. */
	hide(ui.command, !notes.length && !line.startsWith('fg-filter'));
	setText(ui.shell, line);
	setText(ui.lacks, notes.join(' '));
	hide(ui.shell, !line);
	hide(ui.copy, !line);
}

function copyCommand() {
	const {line, notes} = commandLine();
	return line ? copy(line, 'Command') : notes.join(' ');
}
