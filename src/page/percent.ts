/** Percent-encoding (RFC 3986, section 2.1) of addresses and forms that others wrote. */

/** One percent-encoding less. A stray % stands for itself: text that is no valid encoding stays as it is. */
export const percentDecoded = (text: string): string => decodedOr(text, text)

/** As a form is decoded (WHATWG URL, 5.1): a + is a space too. */
export const formDecoded = (text: string): string => decodedOr(text.replaceAll('+', ' '), text)

const decodedOr = (text: string, otherwise: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return otherwise
    throw error
  }
}
