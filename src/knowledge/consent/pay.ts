/** "Pay or OK": a dialog that offers tracking or a subscription, and nothing else. */
import { fold } from './fold.ts'

/** Words for paying, and words that tie the payment to being left alone; both have to be there. Beginnings, folded. */
const PAYING = [
  ...['subscri', 'abonn', 'abbon', 'suscri', 'subscr', 'assina', 'abo ', 'pur abo', 'purabo', 'kostenpflichtig'],
  ...[
    'pay ',
    'payer ',
    'betala',
    'betal ',
    'betaal',
    'zahl',
    'bezahl',
    'pagar',
    'paga ',
    'platit',
    'zaplac',
    'maksa',
    'fizet',
  ],
  ...[
    'predplat',
    'prenum',
    'tilaa',
    'tilaus',
    'elofizet',
    'συνδρομ',
    'абонамент',
    'підписк',
    'подписк',
    'abone',
    'askrift',
  ],
  ...['pretplat', 'narocnin', 'tellimus', 'abonement', 'abonament', 'askari'],
].map((word) => (word.endsWith(' ') ? `${fold(word)} ` : fold(word)))
const LEFT_ALONE = [
  ...['ad free', 'adfree', 'without ads', 'without advertising', 'without tracking', 'without cookies', 'no ads'],
  ...['werbefrei', 'ohne werbung', 'ohne tracking', 'ohne werbetracking', 'ohne cookies', 'sans publicite', 'sans pub'],
  ...['sans cookies', 'sans traceurs', 'sans accepter', 'senza pubblicita', 'senza cookie', 'senza profilazione'],
  ...['sin publicidad', 'sin anuncios', 'sin cookies', 'sem publicidade', 'sem anuncios', 'zonder advertenties'],
  ...[
    'zonder cookies',
    'zonder tracking',
    'advertentievrij',
    'utan annonser',
    'utan reklam',
    'uden annoncer',
    'uden reklamer',
  ],
  ...[
    'reklamefri',
    'annoncefri',
    'uten annonser',
    'reklamefritt',
    'ilman mainoksia',
    'ilman evasteita',
    'bez reklam',
    'bez sledov',
  ],
  ...[
    'bez oglas',
    'brez oglas',
    'reklammentes',
    'hirdetesmentes',
    'hirdetesek nelkul',
    'fara reclame',
    'fara publicitate',
  ],
  ...['be reklam', 'bez reklamam', 'reklaamivaba', 'χωρις διαφημισ', 'без реклам', 'reklamsiz', 'an auglysinga'],
].map(fold)

/** True when a text offers tracking or paying as the choices. Looks at the first 4,000 characters. */
export const asksToPay = (text: string): boolean => {
  const folded = ` ${fold(text)} `
  const has = (word: string) => folded.includes(` ${word}`)
  return PAYING.some(has) && LEFT_ALONE.some(has)
}
