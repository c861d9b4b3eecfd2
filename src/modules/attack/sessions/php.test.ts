/** Sessions of PHP as they come, and as they are meant to be: PHP's own server, its own sessions. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { SignIn } from '../../../contract/identity.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { caseAddress } from '../../testing/collecting.ts'
import { field, lookAt, template } from './testing/asked.ts'
import { startProgram } from './testing/program.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOW = {
  request: { requests: [{ url: '/login' }, { url: '/login', form: { user: 'ada', password: 'right' } }] },
  proof: { path: '/', text: 'Signed in as ada' },
} as SignIn

/** `done`: what is done at the sign-in, at the sign-out, and before something is written. */
const SITE = (done: { readonly begin: string; readonly end: string; readonly check: string }): string => `<?php
session_start();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$posts = $_SERVER['REQUEST_METHOD'] === 'POST';
if ($path === '/login') {
  if ($posts && $_POST['user'] === 'ada' && $_POST['password'] === 'right') {
    ${done.begin}
    $_SESSION['user'] = 'ada'; $_SESSION['csrf'] = bin2hex(random_bytes(16));
    header('Location: /'); exit;
  }
  exit('<form method=post action=/login><input name=user><input type=password name=password></form>');
}
if (($_SESSION['user'] ?? '') !== 'ada') { header('Location: /login'); exit; }
if ($path === '/logout') { ${done.end} setcookie(session_name(), '', 1, '/'); header('Location: /login'); exit; }
$file = sys_get_temp_dir() . '/city.txt';
if ($path === '/city') {
  if ($posts) { ${done.check} file_put_contents($file, $_POST['city']); }
  exit('<form method=post action=/city><input type=hidden name=csrf_token value="' . $_SESSION['csrf'] . '"><input name=city value="'
    . htmlspecialchars(@file_get_contents($file) ?: 'Bremen') . '"></form>');
}
echo 'Signed in as ada <a href=/logout>Sign out</a>';
`

const serve = async (last: number, source: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-php-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'site.php'), source)
  const address = caseAddress(last)
  const settings = ['-d', `session.save_path=${folder}`, '-d', `sys_temp_dir=${folder}`, '-d', 'display_errors=0']
  const args = [...settings, '-S', `${address}:80`, join(folder, 'site.php')]
  closing.push((await startProgram(address, 'php', args)).end)
  return address
}

const REQUESTS = [
  template('GET', '/logout', [], { harm: ENDS_SESSION, source: 'link' }),
  template('POST', '/city', [field('csrf_token', 'old', 'hidden'), field('city', 'Bremen')]),
]
const CHECK =
  "if (!hash_equals($_SESSION['csrf'], $_POST['csrf_token'] ?? '')) { http_response_code(403); exit('Expired.'); }"

test('as it comes: the identifier stays, is taken from anybody, and outlives the sign-out', {
  timeout: 60_000,
}, async () => {
  const { found, facts } = await lookAt(await serve(95, SITE({ begin: '', end: '', check: '' })), REQUESTS, HOW)
  expect(found).toEqual([
    'sessions/alive-after-sign-out confirmed',
    'sessions/fixation confirmed',
    'sessions/forged-request confirmed',
  ])
  expect(facts.fixation.seen[0]).toMatchObject({ cookies: ['PHPSESSID'], ways: ['kept', 'planted'] })
  expect(facts.forged.seen[0]).toMatchObject({ guard: 'optional', sameSite: 'absent' })
})

test('as it is meant to be: renewed, destroyed, compared', { timeout: 60_000 }, async () => {
  const done = { begin: 'session_regenerate_id(true);', end: '$_SESSION = []; session_destroy();', check: CHECK }
  const { found, short, facts } = await lookAt(await serve(96, SITE(done)), REQUESTS, HOW)
  expect(found).toEqual([])
  expect(short).toEqual({
    'sessions/password-change-unverified': 'not_applicable: no form was found by which an account sets its password',
    'sessions/script-inclusion': 'not_applicable: no script was found',
    'sessions/trusted-cookie': 'not_applicable: no cookie of the sign-in says in clear whose it is',
    'sessions/websocket-hijacking': 'not_applicable: no WebSocket was found',
  })
  // The identifiers of PHP itself: enough of them, and none is told by the others.
  expect(facts.identifiers).toMatchObject({ known: 1, asked: 1, seen: [] })
})

test('two cookies that let in together alone are a session in cookies', { timeout: 60_000 }, async () => {
  const done = {
    begin: "session_regenerate_id(true); setcookie('member', bin2hex('ada'), 0, '/');",
    end: '',
    check: '',
  }
  const site = SITE(done).replace(
    "!== 'ada') {",
    "!== 'ada' || ($_COOKIE['member'] ?? '') !== bin2hex('ada')) { session_destroy();",
  )
  const { found, short } = await lookAt(await serve(94, site), REQUESTS, HOW)
  expect(found).toContain('sessions/forged-request confirmed')
  expect(short['sessions/fixation']).toBe(
    'not_tested: the session stands in several cookies, none of which lets in without the others',
  )
})
