/**
 * Byte strings: JavaScript strings of which each character stands for one byte (0 to 255). Bodies, headers and words of
 * templates are compared in this form, so that lengths and hashes are those of the bytes on the wire.
 */

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Text as the byte string of its UTF-8 form. */
export const bytesOfText = (text: string): string =>
  BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text

/** The text that a byte string holds; bytes that are no UTF-8 become U+FFFD. */
export const textOfBytes = (bytes: string): string =>
  BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes

export const isAscii = (text: string): boolean => !BEYOND_ASCII.test(text)

export const bufferOf = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')

/** ASCII and latin1 letters only would be wrong for UTF-8, so the text is lowered and not its bytes. */
export const lowerBytes = (bytes: string): string =>
  BEYOND_ASCII.test(bytes) ? bytesOfText(textOfBytes(bytes).toLowerCase()) : bytes.toLowerCase()
