import { type LanguageWords, phrases } from '../phrases.ts'

export const pl: LanguageWords = {
  language: 'pl',
  accept: phrases(`
    akceptuj | akceptuj wszystkie | akceptuj wszystko | akceptuj wszystkie pliki cookie | akceptuję |
    akceptuję wszystkie | akceptuję wszystko | zaakceptuj | zaakceptuj wszystkie | zaakceptuj wszystko | zgadzam się |
    zgoda | wyrażam zgodę | zezwól | zezwól na wszystkie | zezwól na wszystko | zezwól na wszystkie pliki cookie |
    przejdź do serwisu | przyjmij wszystkie | zaakceptuj i zamknij | akceptuję i przechodzę do serwisu |
    zgadzam się na wszystkie
  `),
  acknowledge: phrases(`rozumiem | w porządku`),
  reject: phrases(`
    odrzuć | odrzuć wszystkie | odrzuć wszystko | odrzuć wszystkie pliki cookie | odrzucam | odrzucam wszystkie |
    odmów | odmawiam | odmów wszystkim | nie zgadzam się | nie akceptuję | nie wyrażam zgody | nie dziękuję | nie |
    nie akceptuj | tylko niezbędne | tylko niezbędne pliki cookie | akceptuj tylko niezbędne |
    zaakceptuj tylko niezbędne | akceptuję tylko niezbędne | zezwól tylko na niezbędne | tylko wymagane |
    tylko konieczne | używaj tylko niezbędnych | kontynuuj bez akceptacji | odrzuć opcjonalne | kontynuuj bez zgody |
    odmowa
  `),
  settings: phrases(`
    ustawienia | ustawienia plików cookie | ustawienia cookie | ustawienia cookies | dostosuj | dostosuj ustawienia |
    zarządzaj | zarządzaj cookies | zarządzaj plikami cookie | zarządzaj opcjami | zarządzaj preferencjami |
    ustawienia zaawansowane | więcej opcji | preferencje | pokaż szczegóły | zmień ustawienia |
    zarządzaj ustawieniami | opcje
  `),
  save: phrases(`
    zapisz | zapisz ustawienia | zapisz wybór | zapisz preferencje | potwierdź | potwierdź wybór |
    potwierdź moje wybory | zezwól na wybór | zapisz i zamknij | zaakceptuj wybrane | akceptuj wybrane
  `),
  revoke: phrases(`
    wycofaj zgodę | cofnij zgodę | zmień zgodę | zmień ustawienia cookies | zmień ustawienia plików cookie |
    zarządzaj zgodą | zarządzaj zgodami | ustawienia prywatności
  `),
  negations: phrases(`nie | bez | tylko | wyłącznie | niezbędne | konieczne | wymagane`),
  topic: phrases(`
    cookie | ciasteczk | zgod | prywatnoś | śledz | personaliz | partner | danych osobowych | dane osobowe
  `),
  privacy: phrases(`
    polityka prywatności | prywatność | ochrona danych | ochrona danych osobowych | rodo | polityka ochrony danych |
    informacja o przetwarzaniu danych
  `),
  imprint: phrases(`informacje prawne | nota prawna | dane firmy | nadawca | impressum | stopka redakcyjna`),
  cookies: phrases(`
    polityka cookies | polityka plików cookie | pliki cookie | cookies | polityka plików cookies
  `),
  terms: phrases(`
    regulamin | warunki korzystania | regulamin sklepu | warunki użytkowania | ogólne warunki | regulamin serwisu
  `),
}
