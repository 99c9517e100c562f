/** The package names a types file it does not contain; this is the one it does. */
declare module '@meshtastic/protobufs' {
  export * from '@meshtastic/protobufs/dist/mod-D6ytgKaP.js'
}
