/** Rows of the truth table: consoles of those who look after something, and the questions before a command. */
import { CHANGES_STATE, PUTS_AWAY } from './deeds.ts'
import { ASKS_FIRST } from './form-effect.ts'
import { list, named, type Row, rows } from './policy.table.ts'
import { SAYS_WRITES } from './policy.ts'
import { NUMBERED } from './storing.ts'

const IN = { signedIn: true }

export const COMMANDS: readonly Row[] = [
  ...rows(SAYS_WRITES, 'bounded', { ...IN, writes: 'said' }, ['GET /nick?nick=Robin', 'POST /nick nick:text=Robin']),
  // The last step of something that was named before.
  ...named(ASKS_FIRST, 'bounded', 'POST /x id:hidden=3', [
    'Yes',
    "Yes, I'm sure",
    'Confirm',
    'Commit',
    'Proceed',
    'Ja, weiter',
    'Bestätigen',
    'Oui',
    'Confirmer',
  ]),
  ...named(ASKS_FIRST, 'bounded', 'POST /x host=db', ['Commit'], IN),
  ...named('send', 'send', 'GET /poll?a=1', ['Yes', 'Confirm']),
  ...named('once', 'bounded', 'POST /find q', ['Yesterday', 'Confirmed orders', 'Jahr', 'OK', 'Submit'], IN),
  // What closes a thing, and with it whatever else is asked about it.
  ...rows(PUTS_AWAY, 'bounded', IN, [
    'POST /users/3/suspend',
    'POST /cards/3/suspend',
    'POST /projects/north/archive token:hidden=x',
    'POST /boards/close',
    'PUT /rooms/blue/lock',
  ]),
  ...rows(CHANGES_STATE, 'bounded', IN, ['POST /tickets/3/close comment']),
  // What is done to what a console looks after.
  ...named(
    CHANGES_STATE,
    'bounded',
    'POST /x id:hidden=3',
    list(`
    Acknowledge
    Acknowledge this problem
    Close
    Resolve
    Take
    Archive
    Stop
    Start
    Pause
    Kill
    Schedule a check
    Starten`),
    IN,
  ),
  ...named('once', 'bounded', 'POST /find q', ['Closed issues', 'Starting on'], IN),
  // A number names the command.
  ...rows(
    NUMBERED,
    'bounded',
    IN,
    list(`
    POST /cgi-bin/cmd.cgi cmd_typ:hidden=25 cmd_mod:hidden=2 host=db01
    POST /console?command=7 host=db01
    POST /console actionId:hidden=3`),
  ),
  ...rows(NUMBERED, 'bounded', {}, ['POST /cgi-bin/run cmd_typ:hidden=25']),
  ...rows('once', 'bounded', IN, [
    'POST /console command=7',
    'POST /list page:hidden=7',
    'POST /list action:hidden=find',
  ]),
]
