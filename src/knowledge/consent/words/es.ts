import { type LanguageWords, phrases } from '../phrases.ts'

export const es: LanguageWords = {
  language: 'es',
  accept: phrases(`
    aceptar | aceptar todo | aceptar todas | aceptar todas las cookies | aceptar cookies | aceptar todos | acepto |
    acepto todo | acepto las cookies | aceptar y cerrar | aceptar y continuar | permitir | permitir todas |
    permitir todo | permitir todas las cookies | estoy de acuerdo | de acuerdo | consentir | consiento |
    habilitar todas | consentir todo
  `),
  acknowledge: phrases(`entendido | ok para mí | me parece bien`),
  reject: phrases(`
    rechazar | rechazar todo | rechazar todas | rechazar todas las cookies | rechazar cookies | rechazar todos |
    rechazo | denegar | denegar todas | denegar todo | no aceptar | no acepto | no gracias | no | no permitir |
    declinar | continuar sin aceptar | continuar sin consentir | solo necesarias | sólo necesarias |
    solo cookies necesarias | solo las necesarias | aceptar solo necesarias | aceptar solo las necesarias |
    aceptar solo cookies necesarias | usar solo cookies necesarias | solo esenciales | solo cookies técnicas |
    aceptar solo las cookies esenciales | rechazar opcionales | rechazar y cerrar | deshabilitar todas |
    permitir solo las necesarias | rechazar cookies opcionales | rechazar no esenciales
  `),
  settings: phrases(`
    configuración | configurar | configurar cookies | configuración de cookies | configuración de las cookies |
    ajustes | ajustes de cookies | personalizar | gestionar | gestionar cookies | gestionar opciones |
    gestionar preferencias | preferencias | administrar cookies | administrar preferencias | más opciones | opciones |
    mostrar detalles | configurar preferencias | panel de configuración
  `),
  save: phrases(`
    guardar | guardar preferencias | guardar configuración | guardar ajustes | guardar selección | confirmar |
    confirmar mis preferencias | confirmar selección | permitir la selección | aceptar selección | guardar y cerrar |
    guardar y salir
  `),
  revoke: phrases(`
    retirar consentimiento | retirar el consentimiento | revocar consentimiento | revocar cookies |
    cambiar consentimiento | modificar consentimiento | cambiar preferencias de cookies | gestionar consentimiento |
    revocar
  `),
  negations: phrases(`no | sin | solo | sólo | únicamente | necesarias | esenciales | técnicas`),
  topic: phrases(`
    cookie | consentim | privacidad | rastre | seguimiento | personaliz | terceros | socios | datos personales
  `),
  privacy: phrases(`
    privacidad | política de privacidad | aviso de privacidad | protección de datos |
    política de protección de datos | declaración de privacidad
  `),
  imprint: phrases(`aviso legal | nota legal | información legal | avisos legales | datos legales`),
  cookies: phrases(`política de cookies | cookies | aviso de cookies | uso de cookies`),
  terms: phrases(`
    términos y condiciones | condiciones de uso | condiciones generales | términos de uso | condiciones de venta |
    condiciones de compra
  `),
}
