/** Words that a run makes up and sends: what a site calls by one, it calls so for ours. */

/** Those that are looked for in pages, and what stands in forms whose effect is learned. */
const OWN = /qx[0-9a-f]{8}|sonde[0-9a-f]{8}/i

export const hasOwnWord = (text: string): boolean => OWN.test(text)
