import { Layer, Logger, References } from "effect"

/** A logger for the library's messages, such as `console`. */
export interface HostLogger {
  readonly debug: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly info: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

const methodsByLevel: Readonly<Record<string, keyof HostLogger>> = {
  FATAL: "error",
  ERROR: "error",
  WARN: "warn",
  INFO: "info"
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the fields of a log line in addition to its message. An error is a separate field. */
const fieldsOf = (part: unknown): Fields | null => {
  if (part instanceof Error) return { error: part }
  return typeof part === "object" && part !== null ? (part as Fields) : null
}

/** Converts a log line to one message and its fields. If the logger throws, only this line is lost. */
const layerHostLogger = (logger: HostLogger) =>
  Logger.map(Logger.formatStructured, ({ annotations, cause, level, message }) => {
    const messageItems = Array.isArray(message) ? message : [message]
    const messageTexts = messageItems.filter((part) => fieldsOf(part) === null).map(String)
    const fields = Object.assign({}, ...messageItems.map(fieldsOf), annotations, cause === undefined ? {} : { cause })
    try {
      logger[methodsByLevel[level.toUpperCase()] ?? "debug"](messageTexts.join(" "), fields)
    } catch {
      // The failure of a logger can't be reported anywhere else.
    }
  })

/** Logs to the host's logger. If there is none, writes warnings and errors to the console. */
export const layerLogger = (logger: HostLogger | undefined) =>
  Layer.merge(
    Logger.layer([layerHostLogger(logger ?? console)]),
    Layer.succeed(References.MinimumLogLevel, logger === undefined ? "Warn" : "Debug")
  )
