import { type LanguageWords, phrases } from '../phrases.ts'

export const pt: LanguageWords = {
  language: 'pt',
  accept: phrases(`
    prosseguir |
    aceitar | aceitar tudo | aceitar todos | aceitar todos os cookies | aceitar cookies | aceito | aceito todos |
    aceitar todas | aceitar e fechar | aceitar e continuar | permitir | permitir todos | permitir todos os cookies |
    permitir tudo | concordo | concordar | concordar e continuar | concordo e continuar | estou de acordo |
    autorizar todos | consentir
  `),
  acknowledge: phrases(`entendi | compreendi | ok para mim | por mim tudo bem`),
  reject: phrases(`
    rejeitar | rejeitar tudo | rejeitar todos | rejeitar todos os cookies | rejeitar cookies | rejeito | recusar |
    recusar tudo | recusar todos | recusar todos os cookies | recusar cookies | recuso | não aceitar | não aceito |
    não obrigado | não | negar | continuar sem aceitar | continuar sem consentir | apenas necessários |
    apenas os necessários | apenas cookies necessários | só os necessários | aceitar apenas necessários |
    aceitar apenas os cookies necessários | somente necessários | não concordo | usar apenas cookies necessários |
    apenas essenciais | apenas cookies essenciais | rejeitar opcionais | permitir apenas necessários | não permitir
  `),
  settings: phrases(`
    definições | definições de cookies | configurações | configurações de cookies | configurar | configurar cookies |
    personalizar | gerir cookies | gerir opções | gerir preferências | gerir definições | gerenciar cookies |
    gerenciar preferências | preferências | preferências de cookies | mais opções | opções | mostrar detalhes |
    ajustar | gerenciar opções
  `),
  save: phrases(`
    guardar | guardar preferências | guardar definições | guardar escolhas | salvar | salvar preferências |
    confirmar | confirmar escolhas | confirmar as minhas escolhas | permitir seleção | aceitar seleção |
    guardar e fechar | aceitar selecionados | aceitar selecionadas
  `),
  revoke: phrases(`
    retirar consentimento | retirar o consentimento | revogar consentimento | alterar consentimento |
    alterar preferências de cookies | gerir consentimento | revogar | alterar definições de cookies
  `),
  negations: phrases(`não | sem | apenas | só | somente | necessários | essenciais`),
  topic: phrases(`
    cookie | consentim | privacidade | rastre | personaliz | terceiros | parceiros | dados pessoais
  `),
  privacy: phrases(`
    privacidade | política de privacidade | aviso de privacidade | proteção de dados | declaração de privacidade |
    política de proteção de dados
  `),
  imprint: phrases(`aviso legal | informação legal | informações legais | ficha técnica | nota legal`),
  cookies: phrases(`política de cookies | cookies | aviso de cookies | utilização de cookies`),
  terms: phrases(`
    termos e condições | termos de utilização | termos de uso | condições gerais | condições de venda |
    termos de serviço
  `),
}
