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

export interface LeftOut {
  /** Name of the bed as in its file. */
  readonly bed: string
  readonly cases: number
  readonly reason: string
}

/** Cases of a bed that are not counted, as its file says. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    ...{ bed: 'wavsep', cases: 48 },
    reason: 'the page refuses or removes every slash, so that on this system nothing leads out of its folder',
  },
  { ...{ bed: 'wavsep', cases: 16 }, reason: 'VBScript, which no browser of today runs' },
  {
    ...{ bed: 'wavsep', cases: 2 },
    reason: 'the value names the file of a script element that is never ended; no browser runs such (HTML, 13.2.6.4.8)',
  },
  {
    ...{ bed: 'wavsep', cases: 1 },
    reason: 'listed as safe from traversal, but it does forward to any file of the application',
  },
  { ...{ bed: 'wavsep', cases: 1 }, reason: 'listed as safe, but it does fetch any address' },
  {
    ...{ bed: 'bwapp-medium', cases: 1 },
    reason: 'only what a person types into a field of the page runs, and no address fills it',
  },
  {
    ...{ bed: 'bwapp-medium', cases: 1 },
    reason: 'an answer in XML, where a script needs an attribute in quotes, and the page puts backslashes before them',
  },
  { ...{ bed: 'bwapp-low', cases: 1 }, reason: 'the page ended in an error of its own on the PHP of the bed' },
  {
    ...{ bed: 'bwapp-low', cases: 1 },
    reason: 'the page shows its own address, in which every browser of today encodes brackets and quotes',
  },
  {
    ...{ bed: 'bwapp-medium', cases: 1 },
    reason: 'the page writes its own address, in which every browser of today encodes brackets and quotes',
  },
  {
    ...{ bed: 'bwapp-medium', cases: 1 },
    reason: 'only a double quote would leave the attribute, and browsers encode it in a Referer',
  },
  { ...{ bed: 'dsvw', cases: 1 }, reason: 'the script is served as text/plain: a browser shows it' },
  { ...{ bed: 'ssti', cases: 5 }, reason: 'the form names its address beside its page, where nothing answers' },
  { ...{ bed: 'ssti', cases: 1 }, reason: 'a format string of its own is broken, and nothing is evaluated' },
  {
    ...{ bed: 'ssti', cases: 1 },
    reason: 'its library is in none of the packages that the bed is made of',
  },
  {
    ...{ bed: 'xssmaze', cases: 9 },
    reason: 'an address or a referrer as browsers encode it, brackets and all',
  },
  { ...{ bed: 'xssmaze', cases: 9 }, reason: 'answered as a script, JSON or plain text, which browsers show as text' },
  {
    ...{ bed: 'xssmaze', cases: 7 },
    reason:
      'text in an element or a value in quotes, every bracket and event encoded or removed after the last decoding',
  },
  {
    ...{ bed: 'xssmaze', cases: 6 },
    reason: 'an address in a Location header or a refresh, whose javascript: no browser runs',
  },
  { ...{ bed: 'xssmaze', cases: 4 }, reason: 'its library lies on a host that the network of the bed does not have' },
  { ...{ bed: 'xssmaze', cases: 2 }, reason: 'a service worker, which browsers have on secure origins alone' },
]
