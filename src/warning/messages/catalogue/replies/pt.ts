import type { Replies } from './sentences.ts'

/** Portuguese. */
export const pt: Replies = {
  units: ['d', 'h', 'min'],
  usage: {
    region: 'região',
    reason: 'motivo',
    code: 'CÓDIGO',
    question: 'PERGUNTA',
    name: 'NOME',
    target: 'FAMÍLIA|REGIÃO|#CÓDIGO'
  },
  whichAlert: 'Que alerta? Indique o código, p. ex. K7QF. !alerts mostra-os.',
  noSuchCode: 'Nenhum alerta tem o código $. !alerts mostra-os.',
  notStored: 'Não guardado: o disco falha, um reinício esquece-o.',
  acknowledged: '#$1 confirmado às $2.',
  nothingFollows: 'Nada mais se segue.',
  acknowledgedBefore: '$1 já o fez às $2.',
  tooManyCommands: 'Demasiados comandos: $1 em 10 minutos. Tente às $2.',
  tooManyQuestions: 'Demasiadas perguntas: $1 em 10 minutos. Tente às $2.',
  refused: {
    unproven:
      'Recusado: o texto não vinha cifrado com a chave do seu nó, qualquer um pode tê-lo enviado. Use firmware 2.5 ou posterior.',
    other_key:
      'Recusado: o seu nó tinha antes outra chave. Se foi reconfigurado, o operador esquece a antiga na página Radios.',
    new_key: 'Recusado: a chave do seu nó é conhecida aqui há menos de um dia. Use o código da estação.'
  },
  onlyAdmins: {
    ack: 'Só os nós admin podem confirmar.',
    silence: 'Só os nós admin podem silenciar.',
    ask: 'Só os nós admin podem perguntar à biblioteca.',
    hotspot: 'Só os nós admin podem ligar ou desligar o hotspot.',
    who: 'Só os nós admin podem perguntar onde há nós.',
    claim: 'Só os nós admin podem pedir um código.'
  },
  sendDirect: 'Envie !$ como mensagem direta.',
  sendDirectAsNamesProveNothing: 'Envie !$ como mensagem direta: num canal um nome não prova nada.',
  sendOnChannel: 'Envie !$ num canal desta estação.',
  noClaim: 'Aqui não se dão códigos por rádio.',
  claimCode:
    'Código $1, um só uso, $2 min: abra /sign-in na estação e escolha nova palavra-passe. Termina todas as sessões.',
  hotspot: {
    none: 'Esta máquina não tem hotspot para ligar ou desligar.',
    unset: 'O hotspot ainda não tem nome nem palavra-passe: escolha-os na página dele.',
    usage: 'Uso: !hotspot on, !hotspot off, ou só !hotspot para o estado.',
    switchingOn: 'Hotspot: a ligar. !hotspot dirá o resultado.',
    switchingOff: 'Hotspot: a desligar. !hotspot dirá o resultado.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'ligado', off: 'desligado', failed: 'avariado' },
    changing: ', em mudança'
  },
  library: {
    perhaps: 'Talvez: ',
    notFound: 'Não encontrado. Mais próximo: $',
    page: 'p.$',
    nothing: 'A biblioteca nada diz sobre isso.',
    none: 'Esta estação não tem biblioteca.',
    ask: 'O que quer saber? !ask como tornar a água potável',
    closed: 'A biblioteca desta estação não abre de momento.',
    empty: 'A biblioteca desta estação está vazia.',
    busy: 'A biblioteca não responde agora. Pergunte mais tarde.'
  },
  silence: {
    usage: 'Uso: !silence FAMÍLIA|REGIÃO|#CÓDIGO 2h [motivo], máximo 7d. !silence NOME off termina-o.',
    notImmediate: 'O perigo imediato não se silencia por rádio, só nas páginas da estação.',
    neither: '$ não é aqui família nem região.',
    until: '$1 em silêncio $2, salvo perigo imediato.',
    howToEnd: '!silence $ off termina-o.',
    wasNot: '$ não estava em silêncio.',
    over: '$ volta a ouvir-se.'
  },
  who: {
    noArea: '#$: não há área que se possa desenhar; não se sabe quem está dentro.',
    inside: '#$1: $2 de $3 posições conhecidas na área',
    insidePart: '#$1: $2 de $3 posições conhecidas na parte que se pode desenhar',
    untold: '. Nós sem posição: $.'
  },
  why: {
    noLongerStored: '#$: já não está guardado.',
    acknowledged: 'confirmado $1 por $2',
    notSent: 'não enviado',
    direct: 'direto',
    states: {
      queued: 'em espera',
      transmitting: 'a enviar',
      sent: 'enviado',
      heard: 'ouvido',
      delivered: 'entregue',
      unconfirmed: 'por confirmar',
      held: 'retido',
      suppressed: 'não enviado',
      merged: 'agrupado',
      stood_down: 'dito por outra estação',
      expired: 'caducado',
      failed: 'falhado',
      sent_unknown: 'talvez enviado'
    },
    reasons: {
      off: 'notificações desligadas',
      turn: 'espera a sua vez',
      peer: 'outra estação di-lo',
      airtime: 'sem tempo de emissão',
      again: 'nova tentativa',
      no_radio: 'rádio não pronto',
      no_answer: 'o rádio não responde',
      refused: 'recusado pelo rádio',
      no_channel: 'o rádio não tem o canal',
      nobody_heard: 'nenhuma repetição ouvida',
      too_late: 'esperou demasiado',
      quiet_hours: 'horas de silêncio',
      cooldown: 'pausa após o anterior',
      summary: 'irá no resumo',
      inhibited: 'vigora um alerta mais grave',
      over: 'terminado',
      silenced: 'silenciado',
      newer: 'ultrapassado',
      matrix_off: 'matriz desligada',
      same_text: 'já dito',
      no_addressee: 'destinatário desconhecido',
      server: 'o servidor não o aceitou',
      no_text: 'sem texto possível',
      outside: 'fora das áreas',
      unplaced: 'local desconhecido',
      stale: 'demasiado antigo',
      known: 'já em vigor no arranque',
      muted: 'célula muda',
      floor: 'abaixo do limiar',
      no_route: 'sem canal previsto'
    }
  },
  notice: {
    faults: {
      full: 'disco cheio',
      io: 'erros de disco',
      read_only: 'disco só de leitura',
      gone: 'falta a pasta de dados',
      damaged: 'base de dados danificada'
    },
    nothingStored: '$: nada é guardado.',
    goesOut: 'Crítico e pior sai, talvez duas vezes após um reinício.',
    storesAgain: 'volta a guardar após $.',
    madeAnew: 'tinha a base de dados danificada e criou-a de novo. Verifique o disco.',
    timeUnknown: 'hora desconhecida'
  },
  bands: {
    bands: 'PROPAGAÇÃO $',
    stop: '. ',
    noStorm: 'Sem tempestade',
    effects: { R: 'HF fraca no lado diurno', S: 'HF polar má', G: 'HF instável, auroras' },
    passes: 'PASSAGENS $',
    noPass: 'nenhuma em $ h'
  }
}
