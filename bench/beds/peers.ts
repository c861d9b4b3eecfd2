/** What others are said to find on the same beds, and by whom it is said. Nothing of it was measured or checked here. */

export interface PeerScore {
  /** Name of the bed as in its file, without what follows a hyphen. */
  readonly bed: string
  readonly who: string
  readonly found: number
  readonly of: number
  /** Who says so, and as of when where that is known. */
  readonly source: string
  /** What makes it no like for like; '' where nothing does. */
  readonly note: string
}

const AUTHOR = 'the README of the applications, as of October 2022'

export const PEER_SCORES: readonly PeerScore[] = [
  {
    ...{ bed: 'wavsep', who: 'ZAP', found: 1_124, of: 1_175, source: 'its project, date unknown' },
    note: 'cases that need another system or a browser of the past are among them',
  },
  {
    ...{ bed: 'crawlground', who: 'ZAP, client spider', found: 46, of: 59, source: 'its project, date unknown' },
    note: '',
  },
  {
    ...{ bed: 'ssti', who: 'Burp', found: 23, of: 35, source: AUTHOR },
    note: 'pages of templates alone; one of them found as code injection',
  },
  {
    ...{ bed: 'ssti', who: 'ZAP', found: 21, of: 23, source: AUTHOR },
    note: 'pages of templates alone; twelve pages of general delimiters were not tried with it',
  },
]
