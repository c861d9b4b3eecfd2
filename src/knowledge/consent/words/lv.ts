import { type LanguageWords, phrases } from '../phrases.ts'

export const lv: LanguageWords = {
  language: 'lv',
  accept: phrases(`
    piekrītu | piekrist | piekrist visām | piekrītu visām | piekrist visam | pieņemt | pieņemt visas | pieņemt visu |
    pieņemt visas sīkdatnes | pieņemt sīkdatnes | atļaut visas | atļaut visas sīkdatnes | atļaut | apstiprināt visas |
    apstiprināt visu | akceptēt visas | piekrist visām sīkdatnēm
  `),
  acknowledge: phrases(`sapratu | labi`),
  reject: phrases(`
    noraidīt | noraidīt visas | noraidīt visu | noraidīt visas sīkdatnes | atteikties | atteikties no visām |
    atteikt | nepiekrītu | nepiekrist | nē paldies | nē | tikai nepieciešamās | tikai nepieciešamās sīkdatnes |
    tikai obligātās | tikai obligātās sīkdatnes | pieņemt tikai nepieciešamās | atļaut tikai nepieciešamās |
    atļaut tikai nepieciešamās sīkdatnes | izmantot tikai nepieciešamās | turpināt bez piekrišanas | neatļaut |
    pieņemt tikai obligātās
  `),
  settings: phrases(`
    iestatījumi | sīkdatņu iestatījumi | pielāgot | pielāgot iestatījumus | pārvaldīt | pārvaldīt sīkdatnes |
    pārvaldīt opcijas | pārvaldīt iestatījumus | opcijas | vairāk opciju | rādīt detaļas | mainīt iestatījumus |
    izvēlēties | preferences | detalizēti
  `),
  save: phrases(`
    saglabāt | saglabāt iestatījumus | saglabāt izvēli | apstiprināt | apstiprināt izvēli |
    apstiprināt manas izvēles | atļaut izvēlētās | saglabāt un aizvērt | pieņemt izvēlētās | apstiprināt izvēlētās
  `),
  revoke: phrases(`
    atsaukt piekrišanu | mainīt piekrišanu | mainīt sīkdatņu iestatījumus | pārvaldīt piekrišanu
  `),
  negations: phrases(`ne | nē | bez | tikai | nepieciešamās | obligātās`),
  topic: phrases(`
    sīkdat | sīkfail | piekriš | privātum | izsekoš | personaliz | trešo pušu | partner | personas dat | cookie
  `),
  privacy: phrases(`
    privātuma politika | privātums | personas datu aizsardzība | datu aizsardzība | privātuma paziņojums |
    personas datu apstrāde | konfidencialitātes politika
  `),
  imprint: phrases(`juridiskā informācija | rekvizīti | uzņēmuma rekvizīti | uzņēmuma dati`),
  cookies: phrases(`sīkdatnes | sīkdatņu politika | sīkdatņu izmantošana | par sīkdatnēm | sīkfaili`),
  terms: phrases(`
    noteikumi | lietošanas noteikumi | vispārīgie noteikumi | noteikumi un nosacījumi | distances līgums
  `),
}
