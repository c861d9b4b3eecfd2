/** Spans and sentences, the same in every language of a report. */

/** 372 → "6 min 12 s" */
export const span = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const parts = [
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(whole % 60 > 0 && hours === 0 ? [`${whole % 60} s`] : []),
  ]
  return parts.join(' ') || '0 s'
}

/** The first sentence, ending in a full stop. Code blocks are no sentence. */
export const firstSentence = (text: string): string => {
  const [line = ''] = text.trim().split(/\n/)
  const [sentence = ''] = line.split(/(?<=[.!?])\s+(?=[A-ZÄÖÜ`"'„(])/)
  return sentence.replace(/[:;,]$/, '').replace(/(?<![.!?])$/, '.')
}
