import { type LanguageWords, phrases } from '../phrases.ts'

export const lt: LanguageWords = {
  language: 'lt',
  accept: phrases(`
    sutinku | sutinku su visais | sutikti | sutikti su visais | priimti | priimti visus | priimti visus slapukus |
    priimti viską | leisti visus | leisti visus slapukus | leisti | sutinku su visais slapukais | patvirtinti visus |
    sutikti ir tęsti | sutinku ir tęsiu
  `),
  acknowledge: phrases(`supratau | gerai`),
  reject: phrases(`
    atmesti | atmesti visus | atmesti visus slapukus | atmesti viską | nesutinku | nesutikti | atsisakyti |
    atsisakyti visų | ne ačiū | ne | tik būtinieji | tik būtini | tik būtinus | tik būtini slapukai |
    tik būtinieji slapukai | priimti tik būtinus | leisti tik būtinus | leisti tik būtinus slapukus |
    naudoti tik būtinus slapukus | tęsti nesutikus | neleisti | sutikti tik su būtinais | sutinku tik su būtinais |
    tik būtinus slapukus
  `),
  settings: phrases(`
    nustatymai | slapukų nustatymai | keisti nustatymus | tvarkyti | tvarkyti slapukus | tvarkyti parinktis |
    valdyti slapukus | pritaikyti | parinktys | daugiau parinkčių | rodyti išsamią informaciją | pasirinkti |
    koreguoti | tinkinti | valdyti nustatymus
  `),
  save: phrases(`
    išsaugoti | išsaugoti nustatymus | išsaugoti pasirinkimą | išsaugoti pasirinkimus | patvirtinti |
    patvirtinti pasirinkimą | patvirtinti mano pasirinkimus | leisti pasirinktus | išsaugoti ir uždaryti |
    sutikti su pasirinktais
  `),
  revoke: phrases(`
    atšaukti sutikimą | keisti sutikimą | pakeisti sutikimą | keisti slapukų nustatymus | tvarkyti sutikimą
  `),
  negations: phrases(`ne | be | tik | būtini | būtinus | būtinieji`),
  topic: phrases(`
    slapuk | sutikim | privatum | sekim | suasmenin | trečiųjų šali | partneri | asmens duomen | cookie
  `),
  privacy: phrases(`
    privatumo politika | privatumas | asmens duomenų apsauga | duomenų apsauga | privatumo pranešimas |
    asmens duomenų tvarkymas
  `),
  imprint: phrases(`teisinė informacija | rekvizitai | įmonės rekvizitai | įmonės duomenys`),
  cookies: phrases(`slapukai | slapukų politika | slapukų naudojimas | apie slapukus`),
  terms: phrases(`
    taisyklės | naudojimosi sąlygos | pirkimo taisyklės | sąlygos ir nuostatos | naudojimo sąlygos |
    bendrosios sąlygos
  `),
}
