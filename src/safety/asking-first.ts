/** Pages and buttons that ask once more before something is done. They only forbid. */
import { wordsApart } from '../page/names.ts'

/** What answers such a question, or carries out what was named before it: "Yes, I'm sure", "Confirm", "Commit". */
const ANSWERS =
  /^\s*(?:yes|confirm|commit|proceed|ja|bestätigen|bestaetigen|fortfahren|oui|confirmer|sí|confirmar|conferma|sì|bevestigen|sim)(?![\p{L}\d])/iu

export const answersQuestion = (label: string): boolean => label.split('\n').some((line) => ANSWERS.test(line))

/** Of a parameter, by its name: `confirm`, `really_sure`, `force`. */
export const answersByName = (name: string): boolean =>
  wordsApart(name)
    .split(/[^\p{L}]+/u)
    .some((word) => NAMES.test(word))
const NAMES =
  /^(?:confirm(?:ed|ation)?|sure|really|force|yes|agreed?|proceed|commit|execute|approved?|bestaetigt|bestätigt|sicher)$/i

/** Characters of a page that are read for such a question. */
const MOST = 20_000

const QUESTIONS = [
  /\bare you (?:really |absolutely |quite )?(?:sure|certain)\b/i,
  /\bdo you (?:really|still|truly) (?:want|wish)\b/i,
  /\byou are (?:about|going|requesting) to \p{L}/iu,
  /\b(?:cannot|can ?not|can't|can’t) be undone\b/i,
  /\bplease confirm (?:that|the|this|your)\b/i,
  /\bsind sie (?:sich )?sicher\b|\b(?:wollen|möchten) sie (?:\S+ ){1,6}wirklich\b|\bwirklich (?:\S+ ){0,6}\p{L}+en\?|\bnicht rückgängig\b/iu,
  /\b(?:êtes-vous|etes-vous) sûr|\bvoulez-vous vraiment\b/iu,
  /¿\s*(?:está|estás) segur[oa]\b|¿\s*realmente (?:desea|quiere)/iu,
  /\bsei sicuro\b|\bsicuro di voler\b/i,
  /\bweet u (?:het )?zeker\b/i,
]

/** What stands before the deed in a question, or in what warns of it. */
const FRAMES = [
  /^.{0,80}?\b(?:want|wish|like|about|going|sure|certain)\b[^.?!]{0,40}?\bto\s+(?=\p{L})/iu,
  /^\s*(?:this|it|the (?:action|operation|command))\b[^.?!]{0,40}?\bwill\s+(?=\p{L})/iu,
]
/** Characters of a question that are read: people read no more of one either. */
const LONGEST_QUESTION = 1_000
/** "Your account will be deleted" */
const DONE_TO = /^\s*(.{1,60}?)\s+(?:will|is going to)\s+be\s+(?:permanently\s+|irrevocably\s+)?(\p{L}{3,20}?)e?d\b/iu

/**
 * The deeds that a question names, as a button would say them: "delete your account" of "Do you really want to delete your account?". The question itself
 * comes first.
 */
export const deedsAsked = (question: string): readonly string[] => {
  const asked = question.slice(0, LONGEST_QUESTION)
  const sentences = asked.split(/[.!?\n]+/)
  const framed = sentences.flatMap((one) =>
    FRAMES.flatMap((frame) => (frame.test(one) ? [one.replace(frame, '')] : [])),
  )
  const done = sentences.flatMap((one) => {
    const [, thing = '', deed = ''] = DONE_TO.exec(one) ?? []
    return deed === '' ? [] : [`${deed} ${thing}`, `${deed}e ${thing}`]
  })
  return [asked, ...framed, ...done]
}

/** Whether a page asks whether what its form does is really meant. `text`: what people see of it. */
export const asksWhetherMeant = (text: string): boolean => QUESTIONS.some((one) => one.test(text.slice(0, MOST)))
