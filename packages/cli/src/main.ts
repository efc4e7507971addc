import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitCodeOfExit, program } from "./program.ts"

const args = process.argv.slice(2)

NodeRuntime.runMain(program(args, process.env), {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOfExit(exit, args))
})
