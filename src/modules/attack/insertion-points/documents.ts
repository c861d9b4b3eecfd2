/** Names of documents and media, which programs hand out by their name, and of which none is a program itself. */
const DOCUMENT =
  /^[^/\\]{1,80}\.(?:pdf|txt|csv|tsv|json|xml|ya?ml|docx?|xlsx?|pptx?|odt|ods|rtf|md|log|zip|gz|eml|ics|bak)$/i

export const isDocument = (name: string): boolean => DOCUMENT.test(name)

const MEDIA = /^[^/\\]{1,255}\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|webm|ogg|wav|vtt)$/i

/** A picture, a recording. */
export const isMedia = (name: string): boolean => MEDIA.test(name)

/** A document, a picture, a recording. */
export const isHandedOut = (name: string): boolean => isDocument(name) || isMedia(name)
