/** The shape of an address: what stays when identifiers, dates and values are taken out. Same shape, same code behind it. */

const NUMBER = /^\d+$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DATE = /^\d{4}-\d{1,2}(-\d{1,2})?$/
const HEX = /^(?=.*\d)[0-9a-f]{8,}$/i
/** Long and mixed, as keys and tokens are. */
const TOKEN = /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[\w-]{16,}$/
const TRAILING_NUMBER = /^(.*[a-z][-_.])\d+(\.\w{1,5})?$/i

/** `https://h/item/42?b=1&a=2` → `https://h/item/{n}?a&b`. */
export const shapeOf = (address: string): string => {
  const url = new URL(singleSlashes(address))
  const path = url.pathname.split('/').map(segmentShape).join('/')
  const names = [...new Set(url.searchParams.keys())].toSorted()
  return `${url.origin}${path}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** Servers take `/a//b` for `/a/b`, and an application that writes it once writes it in every link of that page. */
export const singleSlashes = (address: string): string => {
  const [start = '', rest] = address.split(/([?#].*)/s)
  return `${start.replace(/(?<!:)\/{2,}/g, '/')}${rest ?? ''}`
}

export const segmentShape = (segment: string): string => {
  if (NUMBER.test(segment)) return '{n}'
  if (UUID.test(segment) || HEX.test(segment) || TOKEN.test(segment)) return '{id}'
  if (DATE.test(segment)) return '{date}'
  const numbered = TRAILING_NUMBER.exec(segment)
  return numbered ? `${numbered[1]}{n}${numbered[2] ?? ''}` : segment
}

/** True where a segment is a value rather than a name. */
export const isVariable = (segment: string): boolean => segment !== '' && segmentShape(segment) !== segment

/** The folder of the address, in which a thousand articles may lie. */
export const folderOf = (shape: string): string => shape.replace(/\?.*$/, '').replace(/[^/]*$/, '')

export const withoutHash = (address: string): string => {
  const at = address.indexOf('#')
  return at < 0 ? address : address.slice(0, at)
}
