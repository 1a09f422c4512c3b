# The portal of LemonLDAP::NG (Debian: liblemonldap-ng-portal-perl) with the authentication module CAS.
use strict;
use warnings;
use JSON;
use Lemonldap::NG::Portal::Main;

my ( $base, $cas, $folder ) = @ENV{qw(BASE_URL CAS_URL FOLDER)};
my $sessions = "$folder/lemonldap";
mkdir $_ for $sessions, map { "$sessions/$_" } qw(conf sessions locks psessions cache);
my %conf = (
    cfgNum => 1,
    cfgDate => time,
    portal => "$base/",
    domain => 'localhost',
    securedCookie => 0,
    authentication => 'CAS',
    userDB => 'CAS',
    passwordDB => 'Null',
    casSrvMetaDataOptions => { gatehouse => { casSrvMetaDataOptionsUrl => $cas } },
    casSrvMetaDataExportedVars => { gatehouse => { name => 'name', mailbox => 'mailbox' } },
    exportedVars => {},
    whatToTrace => '_whatToTrace',
    macros => { _whatToTrace => '$_user' },
    globalStorage => 'Apache::Session::File',
    globalStorageOptions => { Directory => "$sessions/sessions", LockDirectory => "$sessions/locks" },
    persistentStorage => 'Apache::Session::File',
    persistentStorageOptions => { Directory => "$sessions/psessions", LockDirectory => "$sessions/locks" },
    locationRules => {},
    exportedHeaders => {},
    applicationList => {},
    key => 'a key of this run',
);
open my $file, '>', "$sessions/conf/lmConf-1.json" or die $!;
print $file encode_json( \%conf );
close $file;
open my $ini, '>', "$sessions/lemonldap-ng.ini" or die $!;
print $ini <<"INI";
[all]
logLevel = warn
[configuration]
type = File
dirName = $sessions/conf
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'lemonldap-ng-config', 'cache_root' => '$sessions/cache' }
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
INI
close $ini;
Lemonldap::NG::Portal::Main->run( { configStorage => { confFile => "$sessions/lemonldap-ng.ini" } } );
