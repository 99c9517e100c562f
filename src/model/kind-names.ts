/**
 * Names of the kind of message, by which nobody learns what happens: its headline tells. `Alert RCB`, `Gefahreninformation`.
 */
const KINDS =
  /^(?:(?:amtliche )?(?:gefahren(?:durchsage|information|mitteilung)|warnung)|entwarnung|(?:alert rcb|rcb alert)|(?:it|nl|fr|be|es|at|eu|de)-alert|(?:wireless emergency|emergency|public|civil|safety) (?:alert|message|notification|warning)|alerta(?: de emergencia)?|alerte|avviso|allerta|allarme|vma|viktigt meddelande(?: till allmänheten)?|nødvarsel)$/i

/** True for a name that says only what kind of message it is. */
export const isKindOfMessage = (name: string): boolean => KINDS.test(name.trim())
