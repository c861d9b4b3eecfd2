/** Boxes that a site may tick unasked: what works without consent, in the languages of languages.ts. */
import { fold } from './fold.ts'

/** Beginnings of words, folded as labels are. */
const STEMS = [
  'necessar',
  'essential',
  'required',
  'strictly',
  'mandatory', // en
  'notwendig',
  'erforderlich',
  'essenziell',
  'essentiell', // de
  'nécessaire',
  'essentiel',
  'obligatoire', // fr
  'necesari',
  'imprescindible',
  'esencial',
  'obligatori', // es
  'necessari',
  'essenzial',
  'tecnici', // it
  'necessári',
  'essencia',
  'obrigatóri', // pt
  'noodzakelijk',
  'essentiële',
  'verplicht', // nl
  'niezbędn',
  'konieczn',
  'wymagan', // pl
  'nezbytn',
  'nutné',
  'nevyhnutn',
  'potřebn', // cs, sk
  'szükséges',
  'elengedhetetlen', // hu
  'necesar',
  'esențial', // ro
  'необходим',
  'задължител',
  'обязательн',
  'необхідн',
  'обовʼязков', // bg, ru, uk
  'απαραίτητ',
  'αναγκαί', // el
  'nødvendig',
  'nödvändig',
  'välttämättöm', // da, no, sv, fi
  'vajalik',
  'hädavajalik',
  'obligāt',
  'nepieciešam',
  'būtin', // et, lv, lt
  'nujn',
  'obvezn',
  'nužn',
  'neophodn', // sl, hr
  'meħtieġ',
  'essenzjal',
  'riachtanach',
  'nauðsynleg',
  'zorunlu',
  'gerekli', // mt, ga, is, tr
].map(fold)

export const meansNecessary = (label: string): boolean => {
  const folded = fold(label)
  return STEMS.some((stem) => folded.includes(stem))
}
