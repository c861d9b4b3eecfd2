/** Names of documents, which programs hand out by their name, and of which none is a program itself. */
const DOCUMENT =
  /^[^/\\]{1,80}\.(?:pdf|txt|csv|tsv|json|xml|ya?ml|docx?|xlsx?|pptx?|odt|ods|rtf|md|log|zip|gz|eml|ics|bak)$/i

export const isDocument = (name: string): boolean => DOCUMENT.test(name)
