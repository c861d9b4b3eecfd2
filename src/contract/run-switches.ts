/**
 * The options of a run that are on or off, each written once: from here come the schemas of requests and of stored runs,
 * the flags of the command line, the boxes of the web form and the words of the report. No schemas: the web application
 * loads this file.
 */
export interface RunSwitch {
  /** A sentence for the document of the interface. */
  readonly help: string
  /** What holds where it is absent; every stored run has it written. Without: absent is off, as in runs of earlier versions. */
  readonly fallback?: boolean
  /** Of `sonde scan`. A flag that begins with `--no-` turns it off. */
  readonly flag: { readonly name: `--${string}`; readonly help: string }
  /** What becomes of it in a passive run; without: it holds there, too. */
  readonly inPassive?: 'ignored' | 'refused'
  /** What becomes of it in an active run; without: it holds there, too. */
  readonly inActive?: 'refused'
  /** Switches that it turns off. */
  readonly without?: readonly string[]
  /** What the report says of a run, by whether it is on. */
  readonly reported?: { readonly on?: string; readonly off?: string }
}

/** In the order of the forms. */
export const RUN_SWITCHES = {
  privacy: {
    help: 'Add the privacy check in a real browser',
    fallback: true,
    flag: { name: '--no-privacy', help: 'without the privacy check in a browser' },
    reported: { on: 'privacy check in a browser', off: 'no privacy check' },
  },
  make_pdf: {
    help: 'Produce the PDF report; the run waits for it for at most two minutes, then ends and leaves it pending',
    fallback: true,
    flag: { name: '--no-report', help: 'without the PDF report' },
  },
  cve_include_possible: {
    help: 'Also report CVEs that rest on a version string alone',
    fallback: false,
    flag: { name: '--possible-cves', help: 'also CVEs that rest on a version string alone' },
    reported: { on: 'possible CVEs included' },
  },
  template_full: {
    help: 'The whole template catalogue; clearly slower',
    fallback: false,
    flag: { name: '--all-templates', help: 'the whole template catalogue; clearly slower' },
    inPassive: 'ignored',
    reported: { on: 'full template catalogue' },
  },
  dry_run: {
    help: 'Crawl, send no probe, and list what an active run would send and what not; takes no unit of the quota',
    flag: {
      name: '--dry-run',
      help: 'crawl, send no probe, and list what would be sent and what not; takes no run of the month',
    },
    inPassive: 'refused',
    reported: { on: 'dry run: no probe was sent' },
  },
  survey: {
    help:
      'Seconds in place of minutes, for many domains: site, DNS, mail, TLS, headers, cookies and markup, without a browser and ' +
      'without a PDF; the rest is not_tested, and the grade provisional. Of a passive run',
    flag: { name: '--survey', help: 'the cheapest modules alone: seconds, no browser, no PDF' },
    inActive: 'refused',
    without: ['privacy', 'make_pdf'],
    reported: { on: 'survey: the cheapest modules alone' },
  },
} as const satisfies Readonly<Record<string, RunSwitch>>

export type RunSwitchName = keyof typeof RUN_SWITCHES
export type RunSwitches = Readonly<Record<RunSwitchName, boolean>>

/** All of them, with what a reader of any switch needs to know. */
export const runSwitches = Object.entries(RUN_SWITCHES) as readonly (readonly [RunSwitchName, RunSwitch])[]

/** What a start without a word about them means. */
export const SWITCH_DEFAULTS = Object.fromEntries(
  runSwitches.map(([name, { fallback = false }]) => [name, fallback]),
) as RunSwitches

/** Switches that are on and do not go with the tier, each with the reason. */
export const misplacedSwitches = (
  given: { readonly active: boolean } & { readonly [Name in RunSwitchName]?: boolean | undefined },
): readonly { readonly name: RunSwitchName; readonly message: string }[] =>
  runSwitches.flatMap(([name, { inPassive, inActive }]) => {
    if (!given[name]) return []
    if (inPassive === 'refused' && !given.active) return [{ name, message: 'goes with an active run' }]
    return inActive === 'refused' && given.active ? [{ name, message: 'goes with a passive run' }] : []
  })

/** Without the switches that another one turns off. */
export const settleSwitches = <Options extends { readonly [Name in RunSwitchName]?: boolean | undefined }>(
  options: Options,
): Options => {
  const off = runSwitches.flatMap(([name, { without = [] }]) => (options[name] ? without : []))
  return { ...options, ...Object.fromEntries(off.map((name) => [name, false])) }
}

/** Whether a form offers it beside the choice made so far. */
export const isOffered = (name: RunSwitchName, chosen: { readonly active: boolean } & RunSwitches): boolean =>
  goesWith(name, chosen.active) &&
  !runSwitches.some(
    ([other, { without = [] }]) => chosen[other] && goesWith(other, chosen.active) && without.includes(name),
  )

const goesWith = (name: RunSwitchName, active: boolean): boolean => {
  const { inPassive, inActive }: RunSwitch = RUN_SWITCHES[name]
  return (active ? inActive : inPassive) === undefined
}
