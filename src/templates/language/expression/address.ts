/** `ip_format`: other ways to write an IPv4 address. */
import { DslError } from './value.ts'

/** Forms are numbered as the format's documentation numbers them; those for IPv4 that do not depend on IPv6. */
export const formatAddress = (address: string, form: string): string => {
  const octets = address.split('.').map(Number)
  if (octets.length !== 4 || octets.some((octet) => !Number.isInteger(octet) || octet < 0 || octet > 255)) {
    throw new DslError(`"${address}" is no IPv4 address`)
  }
  const [a = 0, b = 0, c = 0, d = 0] = octets
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (octet: number): string => octet.toString(16).padStart(2, '0')
  switch (form) {
    case '1':
      return octets.join('.')
    case '2':
      return octets.filter((octet, index) => octet !== 0 || index === 0 || index === 3).join('.')
    case '3':
      return octets.map((octet) => `0${octet.toString(8)}`).join('.')
    case '4':
      return octets.map((octet) => `0x${hex(octet)}`).join('.')
    case '5':
      return String(whole)
    case '6':
      return `0x${octets.map(hex).join('')}`
    case '7':
      return `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`
    case '8':
      return `[::ffff:${octets.join('.')}]`
    case '9':
      return octets.map((octet) => [...String(octet)].map((digit) => `%3${digit}`).join('')).join('.')
    case '11':
      return octets.map((octet) => String(octet).padStart(3, '0')).join('.')
    default:
      throw new DslError(`ip_format has no form "${form}"`)
  }
}
