/** A MeshCore companion radio for trying things out by hand: `npm run sim:mc -- --help`. */
import { main } from '../test/peers/meshcore.ts'

await main(process.argv.slice(2))
