/** A state's traffic in the HTTP Archive format 1.2: no bodies of answers, no values of cookies, no canaries. */
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { type Canary, withoutCanaries } from '../visit/canaries.ts'
import type { RawContact } from '../visit/log.ts'
import type { RawState } from '../visit/states.ts'

const MOST = 1_500
const LONGEST_BODY = 2_048

export const harOf = (state: RawState, browser: string, canaries: readonly Canary[]): string => {
  const clean = (text: string) => withoutCanaries(text, canaries)
  const { contacts } = state.profile.log
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'Sonde', version: '1' },
      browser: { name: 'Chromium', version: browser },
      comment: `State: ${state.name}. ${contacts.length} requests, the first ${Math.min(MOST, contacts.length)} are here. Values of cookies are left out.`,
      pages: state.pages.map(({ url, moment, error }, index) => ({
        id: `page_${index + 1}`,
        title: url,
        startedDateTime: new Date(contacts[0]?.at ?? 0).toISOString(),
        pageTimings: {},
        comment: `${moment}${error === null ? '' : `: ${error}`}`,
      })),
      entries: contacts.slice(0, MOST).map((contact) => entryOf(contact, state, clean)),
    },
  })
}

const entryOf = (contact: RawContact, state: RawState, clean: (text: string) => string) => {
  const { proxied } = contact
  const index = state.pages.findIndex(({ url }) => url === contact.page)
  return {
    ...(index < 0 ? {} : { pageref: `page_${index + 1}` }),
    startedDateTime: new Date(contact.at).toISOString(),
    time: proxied?.duration ?? -1,
    request: {
      method: contact.method,
      url: clean(contact.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(proxied?.headers ?? [], clean),
      queryString: [...(URL.parse(contact.url)?.searchParams ?? [])].map(([name, value]) => ({
        name,
        value: clean(value),
      })),
      headersSize: -1,
      bodySize: contact.body?.length ?? 0,
      ...(contact.body === null
        ? {}
        : { postData: { mimeType: '', text: clean(contact.body).slice(0, LONGEST_BODY), params: [] } }),
    },
    response: {
      status: contact.status ?? 0,
      statusText: contact.failure ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(proxied?.answered ?? [], clean),
      content: { size: proxied?.bytes ?? 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: -1, wait: proxied?.duration ?? -1, receive: -1 },
    comment: `${contact.moment}${contact.script ? `, asked by ${clean(contact.script)}` : ''}`,
  }
}

const headersOf = (pairs: HeaderPairs, clean: (text: string) => string) =>
  pairs
    .filter(([name]) => !name.toLowerCase().startsWith('proxy-'))
    .map(([name, value]) => ({
      name,
      value: /^(?:set-)?cookie2?$/i.test(name) ? withoutValues(name, value) : clean(value),
    }))

/** `_ga=GA1.2…; Path=/` becomes `_ga=[27 characters]; Path=/`. */
const withoutValues = (name: string, value: string): string => {
  const hide = (pair: string) => {
    const at = pair.indexOf('=')
    return at < 0 ? pair : `${pair.slice(0, at + 1)}[${pair.length - at - 1} characters]`
  }
  const [first = '', ...rest] = value.split(';')
  return name.toLowerCase() === 'cookie' ? value.split(';').map(hide).join(';') : [hide(first), ...rest].join(';')
}
