/** What a guard against guessing says in place of an answer to the attempt. */

export const CAPTCHA = /g-recaptcha|hcaptcha|cf-turnstile|friendly-captcha|data-sitekey|captcha/i

export const TOO_MANY =
  /too many (?:(?:failed|unsuccessful|invalid|incorrect) )?(?:log-?[io]n |sign-?in )?(?:requests|attempts|tries|log-?ins?|failures)|rate limit|try again (?:later|in \d+)|temporarily (?:locked|blocked|banned|disabled|suspended)|(?:you|account|address|ip) (?:is |are |has been |have been )?(?:temporarily )?(?:locked|banned|blocked)|zu viele (?:fehlgeschlagene |ungültige )?(?:anfragen|versuche|anmeldeversuche)|trop de (?:tentatives|requêtes)/i
