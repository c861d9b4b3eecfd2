import { type LanguageWords, phrases } from '../phrases.ts'

export const hu: LanguageWords = {
  language: 'hu',
  accept: phrases(`
    elfogadom | elfogadás | összes elfogadása | az összes elfogadása | mindet elfogadom | mind elfogadása |
    minden süti elfogadása | összes süti elfogadása | elfogadom az összeset | elfogadom mindet | sütik elfogadása |
    hozzájárulok | egyetértek | engedélyezem | összes engedélyezése | az összes engedélyezése | mindet engedélyezem |
    elfogad | elfogadok mindent | elfogadom a sütiket | beleegyezem
  `),
  acknowledge: phrases(`rendben | értem`),
  reject: phrases(`
    elutasítom | elutasítás | összes elutasítása | az összes elutasítása | mindet elutasítom | mind elutasítása |
    minden süti elutasítása | összes süti elutasítása | elutasítom az összeset | elutasít | sütik elutasítása |
    nem fogadom el | nem járulok hozzá | nem értek egyet | nem köszönöm | nem | csak a szükségesek |
    csak a szükséges sütik | csak szükséges | csak a feltétlenül szükséges | csak a szükségeseket fogadom el |
    csak a szükséges sütik elfogadása | csak a szükséges sütiket fogadom el | csak a feltétlenül szükséges sütik |
    folytatás elfogadás nélkül | folytatás hozzájárulás nélkül | megtagadom | csak az elengedhetetlen sütik |
    mindent elutasítok
  `),
  settings: phrases(`
    beállítások | süti beállítások | sütibeállítások | cookie beállítások | cookie-beállítások | testreszabás |
    kezelés | sütik kezelése | beállítások kezelése | beállítások módosítása | lehetőségek kezelése |
    további lehetőségek | opciók | részletek | részletek megjelenítése | személyre szabás | preferenciák |
    részletes beállítások | további beállítások
  `),
  save: phrases(`
    mentés | beállítások mentése | kiválasztás mentése | választás mentése | megerősítés | választás megerősítése |
    választásaim megerősítése | kiválasztottak engedélyezése | kijelöltek elfogadása | mentés és bezárás |
    kiválasztottak elfogadása | mentem a beállításokat
  `),
  revoke: phrases(`
    hozzájárulás visszavonása | hozzájárulás módosítása | süti beállítások módosítása |
    cookie beállítások módosítása | hozzájárulás kezelése | visszavonás | hozzájárulásom visszavonása
  `),
  negations: phrases(`nem | nélkül | csak | szükséges | szükségesek | szükségeseket | elengedhetetlen`),
  topic: phrases(`
    süti | cookie | hozzájárul | adatvéd | adatkezel | nyomon köv | személyre | harmadik fél | partner |
    személyes adat
  `),
  privacy: phrases(`
    adatvédelem | adatvédelmi tájékoztató | adatvédelmi szabályzat | adatkezelési tájékoztató |
    adatvédelmi nyilatkozat | adatkezelés | adatvédelmi irányelvek
  `),
  imprint: phrases(`impresszum | jogi nyilatkozat | jogi információk | cégadatok | jogi közlemény`),
  cookies: phrases(`
    süti szabályzat | sütik | cookie szabályzat | süti tájékoztató | cookie tájékoztató | cookie-k |
    sütik használata
  `),
  terms: phrases(`
    ászf | általános szerződési feltételek | felhasználási feltételek | szerződési feltételek | vásárlási feltételek
  `),
}
