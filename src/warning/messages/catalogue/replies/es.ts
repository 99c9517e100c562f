import type { Replies } from './sentences.ts'

/** Spanish. */
export const es: Replies = {
  units: ['d', 'h', 'min'],
  usage: {
    region: 'región',
    reason: 'motivo',
    code: 'CÓDIGO',
    question: 'PREGUNTA',
    name: 'NOMBRE',
    target: 'FAMILIA|REGIÓN|#CÓDIGO'
  },
  whichAlert: '¿Qué aviso? Indique su código, p. ej. K7QF. !alerts los muestra.',
  noSuchCode: 'Ningún aviso tiene el código $. !alerts los muestra.',
  notStored: 'Sin guardar: el disco falla, un reinicio lo olvida.',
  acknowledged: '#$1 confirmado a las $2.',
  nothingFollows: 'No habrá más pasos.',
  acknowledgedBefore: '$1 ya lo hizo a las $2.',
  tooManyCommands: 'Demasiadas órdenes: $1 en 10 minutos. Repita a las $2.',
  tooManyQuestions: 'Demasiadas preguntas: $1 en 10 minutos. Repita a las $2.',
  refused: {
    unproven:
      'Rechazado: el texto no iba cifrado con la clave de su nodo, cualquiera pudo enviarlo. Use firmware 2.5 o posterior.',
    other_key:
      'Rechazado: su nodo tenía antes otra clave. Si se configuró de nuevo, el operador olvida la antigua en la página Radios.',
    new_key: 'Rechazado: la clave de su nodo se conoce aquí desde hace menos de un día. Use el código de la estación.'
  },
  onlyAdmins: {
    ack: 'Solo los nodos admin pueden confirmar.',
    silence: 'Solo los nodos admin pueden silenciar.',
    ask: 'Solo los nodos admin pueden preguntar a la biblioteca.',
    hotspot: 'Solo los nodos admin pueden encender o apagar el hotspot.',
    who: 'Solo los nodos admin pueden preguntar dónde hay nodos.',
    claim: 'Solo los nodos admin pueden pedir un código.'
  },
  sendDirect: 'Envíe !$ como mensaje directo.',
  sendDirectAsNamesProveNothing: 'Envíe !$ como mensaje directo: en un canal un nombre no prueba nada.',
  sendOnChannel: 'Envíe !$ en un canal de esta estación.',
  noClaim: 'Aquí no se dan códigos por radio.',
  claimCode:
    'Código $1, un solo uso, $2 min: abra /sign-in en la estación y elija otra contraseña. Cierra todas las sesiones.',
  hotspot: {
    none: 'Esta máquina no tiene hotspot que encender o apagar.',
    unset: 'El hotspot aún no tiene nombre ni contraseña: elíjalos en su página.',
    usage: 'Uso: !hotspot on, !hotspot off, o solo !hotspot para ver su estado.',
    switchingOn: 'Hotspot: encendiendo. !hotspot dirá el resultado.',
    switchingOff: 'Hotspot: apagando. !hotspot dirá el resultado.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'encendido', off: 'apagado', failed: 'averiado' },
    changing: ', cambiando'
  },
  library: {
    perhaps: 'Quizás: ',
    notFound: 'No encontrado. Lo más cercano: $',
    page: 'p.$',
    nothing: 'La biblioteca no dice nada de eso.',
    none: 'Esta estación no tiene biblioteca.',
    ask: '¿Qué quiere saber? !ask cómo potabilizar agua',
    closed: 'Ahora no se puede abrir la biblioteca de esta estación.',
    empty: 'La biblioteca de esta estación está vacía.',
    busy: 'La biblioteca no responde ahora. Pregunte más tarde.'
  },
  silence: {
    usage: 'Uso: !silence FAMILIA|REGIÓN|#CÓDIGO 2h [motivo], máximo 7d. !silence NOMBRE off lo termina.',
    notImmediate: 'El peligro inmediato no se silencia por radio, solo en las páginas de la estación.',
    neither: '$ no es aquí ni familia ni región.',
    until: '$1 en silencio $2, salvo peligro inmediato.',
    howToEnd: '!silence $ off lo termina.',
    wasNot: '$ no estaba en silencio.',
    over: '$ vuelve a oírse.'
  },
  who: {
    noArea: '#$: no hay zona que se pueda dibujar; no se sabe quién está dentro.',
    inside: '#$1: $2 de $3 posiciones conocidas en la zona',
    insidePart: '#$1: $2 de $3 posiciones conocidas en la parte que se puede dibujar',
    untold: '. Nodos sin posición: $.'
  },
  why: {
    noLongerStored: '#$: ya no está guardado.',
    acknowledged: 'confirmado $1 por $2',
    notSent: 'no enviado',
    direct: 'directo',
    states: {
      queued: 'en espera',
      transmitting: 'enviándose',
      sent: 'enviado',
      heard: 'oído',
      delivered: 'entregado',
      unconfirmed: 'sin confirmar',
      held: 'retenido',
      suppressed: 'no enviado',
      merged: 'agrupado',
      stood_down: 'dicho por otra estación',
      expired: 'caducado',
      failed: 'fallido',
      sent_unknown: 'quizás enviado'
    },
    reasons: {
      off: 'notificaciones apagadas',
      turn: 'espera su turno',
      peer: 'lo dice otra estación',
      airtime: 'sin tiempo de emisión',
      again: 'nuevo intento',
      no_radio: 'radio no preparada',
      no_answer: 'la radio no responde',
      refused: 'rechazado por la radio',
      no_channel: 'la radio no tiene el canal',
      nobody_heard: 'no se oyó repetición',
      too_late: 'esperó demasiado',
      quiet_hours: 'horas de silencio',
      cooldown: 'pausa tras el anterior',
      summary: 'irá en el resumen',
      inhibited: 'rige un aviso más grave',
      over: 'terminado',
      silenced: 'silenciado',
      newer: 'superado',
      matrix_off: 'matriz apagada',
      same_text: 'ya dicho',
      no_addressee: 'destinatario desconocido',
      server: 'el servidor no lo aceptó',
      no_text: 'sin texto posible',
      outside: 'fuera de las zonas',
      unplaced: 'lugar desconocido',
      stale: 'demasiado antiguo',
      known: 'ya vigente al arrancar',
      muted: 'celda muda',
      floor: 'bajo el umbral',
      no_route: 'sin canal previsto'
    }
  },
  notice: {
    faults: {
      full: 'disco lleno',
      io: 'errores de disco',
      read_only: 'disco de solo lectura',
      gone: 'falta la carpeta de datos',
      damaged: 'base de datos dañada'
    },
    nothingStored: '$: no se guarda nada.',
    goesOut: 'Lo crítico o peor sale, quizás dos veces tras un reinicio.',
    storesAgain: 'vuelve a guardar tras $.',
    madeAnew: 'tenía dañada la base de datos y la ha rehecho. Revise el disco.',
    timeUnknown: 'hora desconocida'
  },
  bands: {
    bands: 'PROPAGACIÓN $',
    stop: '. ',
    noStorm: 'Sin tormenta',
    effects: { R: 'HF débil en el lado diurno', S: 'HF polar mala', G: 'HF inestable, auroras' },
    passes: 'PASOS $',
    noPass: 'ninguno en $ h'
  }
}
