import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { exitCodeOfExit, program } from "./program.ts"

NodeRuntime.runMain(program(process.argv.slice(2), process.env), {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOfExit(exit))
})
