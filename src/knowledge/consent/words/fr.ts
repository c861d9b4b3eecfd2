import { type LanguageWords, phrases } from '../phrases.ts'

export const fr: LanguageWords = {
  language: 'fr',
  accept: phrases(`
    accepter | tout accepter | accepter tout | accepter tous les cookies | accepter les cookies | j'accepte |
    j'accepte tout | j'accepte les cookies | accepter et fermer | accepter et continuer | ok j'accepte | d'accord |
    ok tout accepter | oui j’accepte | autoriser | tout autoriser | autoriser tous les cookies | je consens |
    je suis d’accord | tout activer | accepter & fermer | consentir | accepter tous
  `),
  acknowledge: phrases(`j'ai compris | compris | ok pour moi | c'est ok pour moi | ça me va`),
  reject: phrases(`
    refuser | tout refuser | refuser tout | refuser tous les cookies | refuser les cookies | je refuse |
    je refuse tout | continuer sans accepter | continuer sans consentir | fermer et refuser | ne pas accepter |
    non merci | non | je n'accepte pas | rejeter | tout rejeter | rejeter tous les cookies | interdire |
    tout interdire | décliner | interdire tous les cookies | tout désactiver | uniquement les nécessaires |
    cookies nécessaires uniquement | uniquement les cookies nécessaires |
    accepter uniquement les cookies nécessaires | cookies essentiels uniquement |
    accepter uniquement les cookies essentiels | nécessaires uniquement | refuser les cookies optionnels |
    refuser et fermer | ne pas autoriser | seulement les cookies nécessaires |
    autoriser uniquement les cookies nécessaires | s'opposer à tout
  `),
  settings: phrases(`
    gérer ou refuser | paramétrer ou refuser | refuser ou paramétrer |
    paramètres | paramétrer | paramètres des cookies | paramétrer les cookies | personnaliser |
    personnaliser mes choix | gérer les cookies | gérer mes cookies | gérer les options | gérer mes préférences |
    gérer mes choix | préférences | gérer les préférences | plus d'options | en savoir plus et paramétrer |
    configurer | choisir | je choisis | afficher les détails | gérer les paramètres | voir les préférences |
    réglages | paramétrer mes choix | afficher les finalités | options
  `),
  save: phrases(`
    enregistrer | enregistrer mes choix | enregistrer les préférences | valider | valider mes choix | sauvegarder |
    confirmer | confirmer mes choix | confirmer la sélection | autoriser la sélection | enregistrer et fermer |
    enregistrer et quitter
  `),
  revoke: phrases(`
    retirer mon consentement | retirer le consentement | révoquer le consentement | modifier mon consentement |
    révoquer | modifier vos préférences | modifier mes préférences cookies | gestion des cookies |
    gestion du consentement | gérer le consentement | modifier votre consentement | gérer utiq |
    mes préférences cookies
  `),
  negations: phrases(`pas | sans | uniquement | seulement | non | nécessaires | essentiels | aucun`),
  topic: phrases(`
    cookie | consent | vie privée | traceur | confidentialité | personnalis | tiers | partenaires |
    données personnelles
  `),
  privacy: phrases(`
    confidentialité | politique de confidentialité | vie privée | données personnelles | protection des données |
    politique de protection des données | charte de confidentialité | politique de vie privée | charte vie privée
  `),
  imprint: phrases(`
    mentions légales | informations légales | mentions légales et cgu | impressum | notice légale
  `),
  cookies: phrases(`
    politique de cookies | politique cookies | cookies | gestion des cookies | politique relative aux cookies
  `),
  terms: phrases(`
    cgv | cgu | conditions générales | conditions générales de vente | conditions générales d’utilisation |
    conditions d'utilisation
  `),
}
