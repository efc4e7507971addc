import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigProvider } from "effect"
import { exitCodeOfExit, program } from "./program.ts"

NodeRuntime.runMain(program(process.argv.slice(2), ConfigProvider.fromEnv()), {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(exitCodeOfExit(exit))
})
