import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const POLL_MS = 20

/** The command line of a live process; nothing for one that has ended, waits to be collected, or is not ours to see. */
export const commandLineOrNone = (pid: number): string | undefined => {
  if (process.platform !== "linux") {
    const line = spawnSync("ps", ["-p", `${pid}`, "-o", "command="], { encoding: "utf8" }).stdout?.trim()
    return line === undefined || line === "" ? undefined : line
  }
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
    return line === "" ? undefined : line
  } catch {
    return undefined
  }
}

/** When a process started, in an opaque form that tells it from a later one with the same id; nothing without /proc. */
export const startMarkOrNone = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch {
    return undefined
  }
}

/** Asks a process that is not our child to end, and insists after `patienceMs`. */
export const endProcess = async (pid: number, patienceMs: number): Promise<void> => {
  const deadline = Date.now() + patienceMs
  try {
    process.kill(pid, "SIGTERM")
    while (commandLineOrNone(pid) !== undefined && Date.now() < deadline) await sleep(POLL_MS)
    if (commandLineOrNone(pid) !== undefined) process.kill(pid, "SIGKILL")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause
  }
}
