import { join } from "node:path"

/** Where mails are written to that no mail server takes. */
export const mailFolder = (home: string): string => join(home, "mail")
