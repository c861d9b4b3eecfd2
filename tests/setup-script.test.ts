/** scripts/setup-debian.sh on machines that are not this one: programs of the system are replaced by small ones of the case. */
import { mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMachine, type Machine, put } from './support/machine.ts'

let machine: Machine
beforeEach(() => {
  machine = createMachine()
  put(join(machine.home, 'package-lock.json'), '{}')
})
afterEach(() => machine.remove())

const NAMES = ['xelatex', 'bwrap', 'pdfinfo', 'chromium-headless-shell']
const SANDBOX = 'install_packages "the sandbox" bubblewrap poppler-utils'
const verbs = (): string[] =>
  machine
    .calls()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[1] ?? '')
/** The first call holds the lock of somebody else, the later ones do not. */
const busyOnce = (message: string): string => `
  [ "$(grep -c . '${join(machine.home, '..', 'calls')}')" -gt 1 ] && exit 0
  echo "${message}" >&2
  exit 100`

describe('without apt', () => {
  test('all is named with one command, and it goes on', async () => {
    const { code, out, err } = await machine.bash('setup_programs report browser; echo on')
    expect(err).toContain('needed for PDF reports, and for checks in a real browser')
    expect(err).toMatch(/ {2}apt-get update && apt-get install .*texlive-xetex .*chromium-headless-shell/)
    expect({ code, out }).toEqual({ code: 0, out: 'on\n' })
  })

  test('but all there: silent', async () => {
    for (const name of NAMES) machine.program(name, '')
    expect(await machine.bash('setup_programs report browser')).toEqual({ code: 0, out: '', err: '' })
  })

  test('one is there: the other alone is named', async () => {
    for (const name of NAMES.slice(0, 3)) machine.program(name, '')
    const { err } = await machine.bash('setup_programs report browser')
    expect(err).toContain('needed for checks in a real browser.')
    expect(err).not.toContain('texlive')
  })
})

describe('with apt', () => {
  test('as root: only what is missing is installed; what apt says is in the log', async () => {
    machine.debian(['bubblewrap'], 0)
    machine.recorded('apt-get', 'echo Setting up; echo W: odd >&2')
    const { code, out, err } = await machine.bash(SANDBOX)
    expect(err).toMatch(/^sonde: installing 1 of Debian's packages, for the sandbox.*\n$/)
    expect(machine.calls()).toMatch(/^apt-get install .*--no-install-recommends .* poppler-utils\n$/)
    expect(machine.log()).toMatch(/Setting up\nW: odd/)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })

  test('nothing missing: apt is not called', async () => {
    machine.debian(['bubblewrap', 'poppler-utils'], 0)
    machine.recorded('apt-get', '')
    expect(await machine.bash(SANDBOX)).toEqual({ code: 0, out: '', err: '' })
    expect(machine.calls()).toBe('')
  })

  test('an ordinary user: the command for an administrator, in one line, and it goes on', async () => {
    machine.debian([], 1000)
    machine.recorded('apt-get', '')
    const { code, err } = await machine.bash('setup_programs report browser tests')
    expect(err.match(/apt-get install/g)).toHaveLength(1)
    expect(err).toMatch(/An administrator can install it:\n.*texlive-xetex .*chromium-headless-shell .*postgresql/)
    expect(code).toBe(0)
    expect(machine.calls()).toBe('')
  })

  test('lists that are old are fetched once', async () => {
    machine.debian([], 0)
    machine.recorded(
      'apt-get',
      `case "$1-$(grep -c install '${join(machine.home, '..', 'calls')}')" in install-1) exit 100;; esac`,
    )
    await machine.bash(SANDBOX)
    expect(verbs()).toEqual(['install', 'update', 'install'])
  })

  test.each([
    ['dpkg', 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 77 (unattended-upgr)'],
    ['the lists', 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 77 (apt-get)'],
    ['dpkg without its frontend', 'dpkg: error: dpkg frontend lock was locked by another process with pid 77'],
  ])('a lock of %s that is busy: it says so, waits, and installs', async (_, message) => {
    machine.debian([], 0)
    machine.recorded('apt-get', busyOnce(message))
    const { err } = await machine.bash(SANDBOX)
    expect(err).toContain("another program holds apt's lock; waiting")
    expect(verbs()).toEqual(['install', 'install'])
  })

  test('a lock that stays busy: who holds it is said, no other group waits, and the next start tries again', async () => {
    machine.debian([], 0)
    machine.recorded('apt-get', 'echo "E: Could not get lock /x. It is held by process 77 (aptitude)"; exit 100')
    const { code, err } = await machine.bash('APT_WAIT=1; setup_programs report browser')
    expect(err).toContain('held by process 77 (aptitude)')
    expect(code).toBe(0)
    expect(machine.calls()).not.toContain('chromium-headless-shell')
    expect(verbs()).not.toContain('update')
    machine.recorded('apt-get', '')
    const before = verbs().length
    await machine.bash('setup_programs report browser')
    expect(verbs().slice(before)).toEqual(['install', 'install'])
  })

  test('an installation that was interrupted is finished first', async () => {
    machine.debian([], 0)
    machine.recorded('dpkg', '')
    machine.recorded(
      'apt-get',
      `grep -q '^dpkg' '${join(machine.home, '..', 'calls')}' && exit 0
      echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem."; exit 100`,
    )
    const { err } = await machine.bash(SANDBOX)
    expect(err).toContain('an installation on this machine was interrupted; finishing it')
    expect(verbs()).toEqual(['install', '--configure', 'install'])
  })

  test('who became root without a login: dpkg finds what it needs all the same', async () => {
    machine.debian([], 0)
    machine.recorded('apt-get', `[[ "$PATH" = *:/usr/sbin:/sbin ]]`)
    await machine.bash(SANDBOX)
    expect(verbs()).toEqual(['install'])
  })

  test('no permission for a lock is no busy lock', async () => {
    machine.debian([], 0)
    machine.recorded('apt-get', 'echo "E: Could not open lock file /x - open (13: Permission denied)"; exit 100')
    const { err } = await machine.bash(SANDBOX)
    expect(err).toContain('13: Permission denied')
    expect(err).not.toContain('waiting')
  })

  test('the network is away: why it failed is said, and the next start tries again', async () => {
    machine.debian([], 0)
    machine.recorded(
      'apt-get',
      'echo "Err:1 http://deb.example stable"; echo "E: Failed to fetch http://deb.example/x"; exit 100',
    )
    const { code, err } = await machine.bash('setup_programs report browser')
    expect(err).toContain('E: Failed to fetch http://deb.example/x')
    expect(err).toContain('Going on without')
    expect(code).toBe(0)
    const once = verbs().length
    await machine.bash('setup_programs report browser')
    expect(verbs()).toHaveLength(2 * once)
  })

  test('a package that no list knows takes nothing from the others, and is asked for again after a day', async () => {
    machine.debian([], 0)
    machine.recorded(
      'apt-get',
      `[[ "$1" = install && " $* " = *" poppler-utils "* ]] || exit 0; echo 'E: Unable to locate package poppler-utils'; exit 100`,
    )
    const first = await machine.bash(SANDBOX)
    expect(first.err).toContain("not among this system's packages: poppler-utils")
    expect(machine.calls()).toMatch(/install .* bubblewrap\n$/)
    machine.debian(['bubblewrap'], 0)
    const before = verbs().length
    expect((await machine.bash(SANDBOX)).code).toBe(1)
    expect(verbs()).toHaveLength(before)
    const record = join(machine.home, '.setup', 'unavailable-bubblewrap')
    expect(readFileSync(record, 'utf8')).toBe('poppler-utils\n')
    const dayAgo = new Date(Date.now() - 2 * 86_400_000)
    utimesSync(record, dayAgo, dayAgo)
    await machine.bash(SANDBOX)
    expect(verbs().length).toBeGreaterThan(before)
  })

  test('what no list knows is not written down while the lists cannot be fetched', async () => {
    machine.debian([], 0)
    machine.recorded('apt-get', `[ "$1" = install ] && echo 'E: Unable to locate package bubblewrap'; exit 100`)
    await machine.bash(SANDBOX)
    const before = verbs().length
    await machine.bash(SANDBOX)
    expect(verbs()).toHaveLength(2 * before)
  })

  test('of two starts at once, one installs and the other waits for it', async () => {
    machine.debian([], 0)
    const done = join(machine.home, 'installed')
    machine.program('dpkg-query', `[ -e '${done}' ] && echo "ii "`)
    machine.recorded('apt-get', `sleep 1; : >'${done}'`)
    const both = await Promise.all([machine.bash(SANDBOX), machine.bash(SANDBOX)])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(verbs()).toEqual(['install'])
  })

  test('a service that a package starts does not keep the lock', async () => {
    machine.debian([], 0)
    const service = join(machine.home, 'service')
    machine.program('apt-get', `sleep 600 </dev/null >/dev/null 2>&1 & echo $! >'${service}'`)
    await machine.bash(SANDBOX)
    try {
      expect((await machine.bash('SETUP_WAIT=0; lock_setup; echo free')).out).toBe('free\n')
    } finally {
      process.kill(Number(readFileSync(service, 'utf8')))
    }
  })

  test('a folder of the product that cannot be written: named, and it goes on', async () => {
    machine.debian([], 0)
    machine.recorded('apt-get', '')
    mkdirSync(join(machine.home, '.setup'))
    const { code, err } = await machine.bash('open_setup_folder() { return 1; }; setup_programs browser')
    expect(err).toContain('chromium-headless-shell')
    expect({ code, calls: machine.calls() }).toEqual({ code: 0, calls: '' })
  })
})
