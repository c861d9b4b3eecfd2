/** A text that means nothing, and is like no word of a page. */
export const WORD = 'qzvkx'
