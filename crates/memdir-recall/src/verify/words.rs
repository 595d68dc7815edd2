//! Words by which a memory says itself that something is gone, is not there yet, or is not to be used.

use memdir_core::text::{TokenKind, tokens};

/// Whether a sentence speaks of what it names as gone, to come or made up; then it claims nothing.
pub(super) fn is_elsewhen(sentence: &str) -> bool {
    has_any(sentence, ELSEWHEN) || sentence.contains("used to")
}

/// Whether a sentence says what not to use, or what something is not; what it names need not be there.
pub(super) fn is_negated(sentence: &str) -> bool {
    has_any(sentence, NEGATING)
}

fn has_any(sentence: &str, words: &[&str]) -> bool {
    // Names of files and of code say nothing about themselves.
    let prose = sentence.split('`').step_by(2).flat_map(str::split_whitespace);
    let mut found = prose.filter(|word| !word.contains('/')).flat_map(tokens);
    found.any(|token| token.kind != TokenKind::Part && words.contains(&&*token.text))
}

#[rustfmt::skip]
const ELSEWHEN: &[&str] = &[
    "removed", "deleted", "dropped", "gone", "obsolete", "deprecated", "formerly", "former", "previously", "old", "renamed",
    "moved", "replaced", "replaces", "retired", "longer", "anymore", "was", "were", "missing", "create", "creates", "created",
    "creating", "will", "planned", "todo", "future", "generate", "generates", "generated", "output", "outputs", "soon",
    "example", "examples", "placeholder", "hypothetical",
    "entfernt", "gelöscht", "umbenannt", "verschoben", "früher", "ersetzt", "erzeugt", "anlegen", "beispiel",
    "supprimé", "eliminado", "удалён", "删除", "移除", "废弃", "生成", "创建", "例如", "削除", "廃止", "作成", "삭제",
];

#[rustfmt::skip]
const NEGATING: &[&str] = &[
    "not", "no", "never", "don", "doesn", "avoid", "instead", "without", "unlike", "ban", "banned", "forbidden", "replace",
    "nicht", "kein", "keine", "nie", "statt", "pas", "jamais", "nunca", "не", "不要", "禁止", "不用",
];

/// Names that are written like symbols and are those of products.
pub(super) const PRODUCTS: &[&str] = &[
    "ActiveMQ",
    "BigQuery",
    "BitBucket",
    "ChatGPT",
    "ClickHouse",
    "CloudFlare",
    "CloudFront",
    "CloudWatch",
    "CockroachDB",
    "CoffeeScript",
    "DataDog",
    "DevOps",
    "DigitalOcean",
    "DuckDB",
    "DynamoDB",
    "FastAPI",
    "GitHub",
    "GitLab",
    "GraphQL",
    "IntelliJ",
    "JavaScript",
    "JetBrains",
    "LaTeX",
    "LinkedIn",
    "MariaDB",
    "MongoDB",
    "MySQL",
    "NumPy",
    "OpenAI",
    "OpenAPI",
    "OpenSSL",
    "OpenTelemetry",
    "PagerDuty",
    "PayPal",
    "PostgreSQL",
    "PowerShell",
    "PyTorch",
    "QuickBooks",
    "RabbitMQ",
    "SQLAlchemy",
    "SQLite",
    "SendGrid",
    "SharePoint",
    "TailwindCSS",
    "TanStack",
    "TensorFlow",
    "TimescaleDB",
    "TypeScript",
    "VSCode",
    "WebSocket",
    "WhatsApp",
    "WordPress",
    "YouTube",
];

/// Names that languages, their usual libraries and machines have.
#[rustfmt::skip]
pub(super) const FOREIGN: &[&str] = &[
    "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "RefCell", "PathBuf", "OsString", "PhantomData", "RwLock",
    "ArrayList", "LinkedList", "StringBuilder", "IOException", "NullPointerException", "CompletableFuture",
    "useState", "useEffect", "useMemo", "useRef", "useCallback", "useContext", "useReducer", "addEventListener",
    "querySelector", "localStorage", "sessionStorage", "setTimeout", "setInterval", "forEach", "toString",
    "DataFrame", "ValueError", "TypeError", "KeyError", "RuntimeError", "ImportError", "AttributeError", "BaseModel",
    "NotImplementedError", "unique_ptr", "shared_ptr", "string_view", "unordered_map",
    "x86_64", "aarch64_be", "win_amd64", "utf8mb4_bin",
];
