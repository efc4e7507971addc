// Run as a process of its own: executes a signed operation, and is killed as soon as that is accepted.
import { Countersign } from "@countersign/adapters"

const { body, options } = JSON.parse(process.argv[2]!)
const countersign = await Countersign.open(options)
await countersign.userOperations.execute(body)
process.kill(process.pid, "SIGKILL")
